import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { endSession } from "./sessions.ts";

/** Ends this browser's session, in all its tabs and sockets. Does nothing for a visitor or when repeated. */
export async function signOut(actor: Actor): Promise<{ ok: true }> {
  if (actor.kind !== "user") return { ok: true };
  const at = currentTime();
  await runInTransaction(async (tx) => {
    const ended = await endSession(tx, actor.userId, actor.sessionId);
    if (!ended) return;
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "logout",
      at,
      subject: { kind: "session", id: actor.sessionId },
    });
  });
  return { ok: true };
}
