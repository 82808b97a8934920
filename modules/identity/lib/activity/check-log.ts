import { transaction } from "#db/client";
import { now } from "#db/clock";
import { checkSoon, record } from "#modules/audit";
import { type Actor, by } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";

/** Has the log's chain verified soon, as an administrator; that it was asked for is recorded. */
export async function checkActivityLogs(actor: Actor): Promise<{ ok: true } | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  await transaction(async (tx) => {
    await record(tx, { by: by(actor), action: "logs_check_asked", at: now() });
    await checkSoon(tx);
  });
  return { ok: true };
}
