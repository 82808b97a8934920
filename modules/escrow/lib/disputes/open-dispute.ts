import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { queuePush } from "#modules/mailer";
import { findClaimedPayouts } from "../backoffice/payouts/claimed-payouts.ts";
import { applyCommand } from "../core/apply-command.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { postTradeNotice, recordChange } from "../core/carry-out-effects.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../core/outcomes.ts";
import { otherParty } from "../machine/decision-helpers.ts";
import { mailDisputeStep } from "../notifications/mail-parties.ts";
import { throttleReversibleCommand, throttleWrites } from "../notifications/throttles.ts";
import { commandAsPartyThrottled } from "../trade/party-commands.ts";
import { recordStatement } from "./dispute-cases.ts";

/**
 * A party calls the dispute team and says why; what is due to the seller is void until it ends. While somebody makes the transfer it
 * is refused, for void would pay it again should it have left; they are told, and take the approval back if it has not. Refuses
 * NOT_PAID_YET, MONEY_ALREADY_SENT, PAYOUT_APPROVED, DISPUTE_OPEN (the other side opened one), TRADE_OVERTAKEN, THROTTLED.
 */
export async function openDispute(
  actor: Actor,
  id: number,
  input: { reason: string },
): Promise<TradeResult | TradeRefusal> {
  const turn = await throttleReversibleCommand(actor, id, { kind: "open_dispute" });
  if (!turn.ok) return turn;
  const at = currentTime();
  const opened = await runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party, member } = found;
    if (trade.status === "settlement_pending" && (await findClaimedPayouts(tx, id)).length > 0) {
      return { ...refuseAction("PAYOUT_APPROVED", trade), says: "trade.transferUnderWay" };
    }
    const done = await applyCommand(
      tx,
      trade,
      { kind: "open_dispute", who: party },
      { at, by: auditAuthorOf(actor) },
    );
    if (done.ok && done.changed)
      await recordStatement(tx, id, { role: party, member, body: input.reason, at });
    return done;
  });
  if (!opened.ok && opened.code === "PAYOUT_APPROVED") await notifySenders(actor, id, at);
  return opened;
}

/** Whoever makes the transfer hears, once, that a side wants a dispute; the log keeps when it was asked for. */
function notifySenders(actor: Actor, id: number, at: Date): Promise<void> {
  return runInTransaction(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return;
    const { trade, party } = found;
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "want_dispute", { who: party });
    for (const { id: payoutId, claimedBy } of await findClaimedPayouts(tx, id)) {
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
): Promise<TradeResult | TradeRefusal> {
  const turn = await throttleWrites(actor);
  if (!turn.ok) return turn;
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party, member } = found;
    if (trade.status !== "disputed") return refuseAction("TRADE_OVERTAKEN", trade);
    const heard = await recordStatement(tx, id, { role: party, member, body: input.reason, at });
    if (heard === "same") return { ok: true, changed: false, trade };
    if (heard === "full") return refuseAction("STATEMENT_TOO_OFTEN", trade);
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "explain_dispute", { who: party });
    // The first word of a side is told to the other one away from the room, too; what is added to it stands in the room.
    if (heard === "first") await mailDisputeStep(tx, trade, "statement", undefined, otherParty(party));
    const code = party === "buyer" ? "disputeExplainedByBuyer" : "disputeExplainedBySeller";
    await postTradeNotice(tx, trade, { code, params: { code: trade.code }, at });
    return { ok: true, changed: true, trade };
  });
}

/** Whoever opened the dispute takes it back: all is as before. Refuses DISPUTE_NOT_YOURS, TRADE_OVERTAKEN, THROTTLED. */
export function withdrawDispute(actor: Actor, id: number): Promise<TradeResult | TradeRefusal> {
  return commandAsPartyThrottled(actor, id, { kind: "withdraw_dispute" });
}
