import { transaction } from "#db/client";
import { now } from "#db/clock";
import { type Actor, by } from "#modules/identity";
import { queuePush } from "#modules/mailer";
import { underWay } from "../backoffice/payouts/claimed-payouts.ts";
import { command } from "../core/apply-command.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { recordChange, sayInRoom } from "../core/carry-out-effects.ts";
import { atomically, type Done, type Refused, refused } from "../core/outcomes.ts";
import { other } from "../machine/decision-helpers.ts";
import { mailStep } from "../notifications/mail-parties.ts";
import { paced, turning } from "../notifications/throttles.ts";
import { byPartyInTurn } from "../trade/party-commands.ts";
import { state } from "./case.ts";

/**
 * A party calls the dispute team and says why; what is due to the seller is void until it ends. While somebody makes the transfer it
 * is refused, for void would pay it again should it have left; they are told, and take the approval back if it has not. Refuses
 * NOT_PAID_YET, MONEY_ALREADY_SENT, PAYOUT_APPROVED, DISPUTE_OPEN (the other side opened one), TRADE_OVERTAKEN, THROTTLED.
 */
export async function openDispute(
  actor: Actor,
  id: number,
  input: { reason: string },
): Promise<Done | Refused> {
  const turn = await turning(actor, id, { kind: "open_dispute" });
  if (!turn.ok) return turn;
  const at = now();
  const opened = await atomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party, member } = found;
    if (trade.status === "settlement_pending" && (await underWay(tx, id)).length > 0) {
      return { ...refused("PAYOUT_APPROVED", trade), says: "trade.transferUnderWay" };
    }
    const done = await command(tx, trade, { kind: "open_dispute", who: party }, { at, by: by(actor) });
    if (done.ok && done.changed) await state(tx, id, { role: party, member, body: input.reason, at });
    return done;
  });
  if (!opened.ok && opened.code === "PAYOUT_APPROVED") await tellSenders(actor, id, at);
  return opened;
}

/** Whoever makes the transfer hears, once, that a side wants a dispute; the log keeps when it was asked for. */
function tellSenders(actor: Actor, id: number, at: Date): Promise<void> {
  return transaction(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return;
    const { trade, party } = found;
    await recordChange(tx, trade, { at, by: by(actor) }, "want_dispute", { who: party });
    for (const { id: payoutId, claimedBy } of await underWay(tx, id)) {
      await queuePush(tx, {
        userId: claimedBy,
        event: "disputeWanted",
        params: { code: trade.code, other: "" },
        url: `/admin/payouts/${payoutId}`,
        key: `dispute_wanted:${payoutId}:${claimedBy}:${party}`,
      });
    }
  });
}

/**
 * A party explains its side, for the other one and the mediator to read; once both have, the time to do so is over. The same
 * words again change nothing. Refuses TRADE_OVERTAKEN when no dispute is under way, STATEMENT_TOO_OFTEN after 20 of a side, and
 * THROTTLED.
 */
export async function explainDispute(
  actor: Actor,
  id: number,
  input: { reason: string },
): Promise<Done | Refused> {
  const turn = await paced(actor);
  if (!turn.ok) return turn;
  const at = now();
  return atomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party, member } = found;
    if (trade.status !== "disputed") return refused("TRADE_OVERTAKEN", trade);
    const heard = await state(tx, id, { role: party, member, body: input.reason, at });
    if (heard === "same") return { ok: true, changed: false, trade };
    if (heard === "full") return refused("STATEMENT_TOO_OFTEN", trade);
    await recordChange(tx, trade, { at, by: by(actor) }, "explain_dispute", { who: party });
    // The first word of a side is told to the other one away from the room, too; what is added to it stands in the room.
    if (heard === "first") await mailStep(tx, trade, "statement", undefined, other(party));
    const code = party === "buyer" ? "disputeExplainedByBuyer" : "disputeExplainedBySeller";
    await sayInRoom(tx, trade, { code, params: { code: trade.code }, at });
    return { ok: true, changed: true, trade };
  });
}

/** Whoever opened the dispute takes it back: all is as before. Refuses DISPUTE_NOT_YOURS, TRADE_OVERTAKEN, THROTTLED. */
export function withdrawDispute(actor: Actor, id: number): Promise<Done | Refused> {
  return byPartyInTurn(actor, id, { kind: "withdraw_dispute" });
}
