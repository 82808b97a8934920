import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { enqueueLogCheck, recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";

/** Has the log's chain verified soon, as an administrator; that it was asked for is recorded. */
export async function checkActivityLogs(actor: Actor): Promise<{ ok: true } | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  await runInTransaction(async (tx) => {
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "logs_check_asked", at: currentTime() });
    await enqueueLogCheck(tx);
  });
  return { ok: true };
}
