import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { enqueueLogCheck, recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";

/** Schedules a check of the log's hash chain, for an administrator; records that it was requested. */
export async function checkActivityLogs(actor: Actor): Promise<{ ok: true } | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  await runInTransaction(async (tx) => {
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "logs_check_asked", at: currentTime() });
    await enqueueLogCheck(tx);
  });
  return { ok: true };
}
