import { now } from "#db/clock";
import { throttle } from "#db/throttle";
import { type Actor, by, requireAdmin } from "#modules/identity";
import { postNotice } from "#modules/rooms";
import { requireAdminForTrade } from "../core/authorization.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { atomically, type Done, type Refused } from "../core/outcomes.ts";
import { mailTo } from "./mail-parties.ts";

/** So that a key held down fills nobody's mailbox. */
const pace = { max: 5, seconds: 600 };

/**
 * An administrator asks both parties to look at their trade: a mail to each, and a notice in the room. Refuses AUTH_REQUIRED,
 * ADMIN_REQUIRED, THROTTLED, TRANSACTION_NOT_FOUND, OWN_TRADE.
 */
export async function notifyParties(actor: Actor, id: number): Promise<Done | Refused> {
  const at = now();
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const turn = await throttle(`escrow.notify:${id}`, pace, at);
  if (!turn.ok) return turn;
  return atomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade } = found;
    for (const party of ["buyer", "seller"] as const) {
      await mailTo(tx, trade, party, (reader) => ({
        template: "transactionNotice",
        data: { ...reader, state: trade.status },
      }));
    }
    await recordChange(tx, trade, { at, by: by(actor) }, "notify", {});
    const params = { transactionId: id, code: trade.code };
    await postNotice(tx, { roomId: trade.roomId, code: "adminNotified", params, at });
    return { ok: true, changed: true, trade };
  });
}
