import { transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { type Actor, by } from "../core/actor.ts";
import { endSession } from "./sessions.ts";

/** Ends the session of this browser, on every tab and socket of it. For a visitor, and when repeated, it does nothing. */
export async function logout(actor: Actor): Promise<{ ok: true }> {
  if (actor.kind !== "user") return { ok: true };
  const at = now();
  await transaction(async (tx) => {
    const ended = await endSession(tx, actor.userId, actor.sessionId);
    if (!ended) return;
    await record(tx, {
      by: by(actor),
      action: "logout",
      at,
      subject: { kind: "session", id: actor.sessionId },
    });
  });
  return { ok: true };
}
