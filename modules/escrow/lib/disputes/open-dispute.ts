import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { queuePush } from "#modules/mailer";
import type { WithdrawDisputeInput } from "../../forms.ts";
import { findClaimedPayouts } from "../backoffice/payouts/claimed-payouts.ts";
import { applyCommand } from "../core/apply-command.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { postTradeNotice, recordChange } from "../core/carry-out-effects.ts";
import { refuseAction, runAtomically } from "../core/outcomes.ts";
import { otherParty } from "../machine/decision-helpers.ts";
import { mailDisputeStep } from "../notifications/mail-parties.ts";
import { throttleReversibleCommand, throttleWrites } from "../notifications/throttles.ts";
import { commandAsPartyThrottled } from "../trade/party-commands.ts";
import { isOpenCase, recordStatement } from "./dispute-cases.ts";

/**
 * A party opens a dispute and gives the reason; what is due to the seller is void until the dispute ends. It is refused while an
 * administrator makes the transfer: a voided payout would be paid again even if that transfer had left. That administrator is notified, and
 * takes the approval back if the transfer has not left. Refuses NOT_PAID_YET, MONEY_ALREADY_SENT, PAYOUT_APPROVED, DISPUTE_OPEN (the other
 * party opened one), TRADE_OVERTAKEN, THROTTLED.
 */
export async function openDispute(actor: Actor, id: number, input: { reason: string }) {
  const turn = await throttleReversibleCommand(actor, id, { kind: "open_dispute" });
  if (!turn.ok) return turn;
  const at = currentTime();
  const opened = await runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party, member } = found;
    if (trade.status === "settlement_pending" && (await findClaimedPayouts(tx, id)).length > 0) {
      return { ...refuseAction("PAYOUT_APPROVED", trade), textKey: "trade.transferUnderWay" };
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

/**
 * Notifies the administrators who make the trade's transfers, once per party, that a party wants a dispute. The audit log records when it
 * was wanted.
 */
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
 * A party explains its side to the other party and the mediator; once both have, the deadline for statements is closed. Repeating the same
 * text changes nothing. Refuses TRADE_OVERTAKEN if no dispute is open, STATEMENT_TOO_OFTEN after 20 statements of a party, and THROTTLED.
 */
export async function explainDispute(actor: Actor, id: number, input: { reason: string }) {
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
    // A party's first statement is also mailed to the other one; a further one is only noticed in the room.
    if (heard === "first") await mailDisputeStep(tx, trade, "statement", undefined, otherParty(party));
    const code = party === "buyer" ? "disputeExplainedByBuyer" : "disputeExplainedBySeller";
    await postTradeNotice(tx, trade, { code, params: { code: trade.code, by: party }, at });
    return { ok: true, changed: true, trade };
  });
}

/**
 * The party that opened a dispute withdraws it, and the trade continues as before. The input names the dispute that the party was shown:
 * otherwise a press on an old page would withdraw a dispute that was opened since. Refuses DISPUTE_NOT_YOURS, DISPUTE_CHANGED,
 * TRADE_OVERTAKEN, THROTTLED.
 */
export function withdrawDispute(actor: Actor, id: number, { openedAt }: WithdrawDisputeInput = {}) {
  return commandAsPartyThrottled(actor, id, { kind: "withdraw_dispute" }, async (tx, { trade }) =>
    (await isOpenCase(tx, id, openedAt)) ? null : refuseAction("DISPUTE_CHANGED", trade),
  );
}
