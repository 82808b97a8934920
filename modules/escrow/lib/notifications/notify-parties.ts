import { currentTime } from "#db/clock";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { type Actor, auditAuthorOf, requireAdmin } from "#modules/identity";
import { postNotice } from "#modules/rooms";
import { requireAdminForTrade } from "../core/authorization.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { runAtomically } from "../core/outcomes.ts";
import { mailTo } from "./mail-parties.ts";

/** Keeps repeated presses from filling the parties' mailboxes. */
const notifyLimit = { max: 5, seconds: 600 };

/**
 * An administrator asks both parties to look at their trade: an email to each, and a notice in the room. Refuses AUTH_REQUIRED,
 * ADMIN_REQUIRED, THROTTLED, TRANSACTION_NOT_FOUND, OWN_TRADE.
 */
export async function notifyParties(actor: Actor, id: number) {
  const at = currentTime();
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const turn = await takeThrottledAttempt(`escrow.notify:${id}`, notifyLimit, at);
  if (!turn.ok) return turn;
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade } = found;
    for (const party of ["buyer", "seller"] as const) {
      await mailTo(tx, trade, party, (reader) => ({
        template: "transactionNotice",
        data: { ...reader, state: trade.status },
      }));
    }
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "notify", {});
    const params = { transactionId: id, code: trade.code };
    await postNotice(tx, { roomId: trade.roomId, code: "adminNotified", params, at });
    return { ok: true, changed: true, trade };
  });
}
