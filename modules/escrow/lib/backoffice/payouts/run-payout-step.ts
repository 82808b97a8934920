import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { maskNumber } from "#format";
import type { Actor } from "#modules/identity";
import {
  findPayout,
  heldAmount,
  type Payout,
  type PayoutActor,
  type PayoutStepDone,
} from "#modules/payments";
import { postNotice } from "#modules/rooms";
import { applyCommand } from "../../core/apply-command.ts";
import {
  loadPayoutActor,
  type NoAdminGrant,
  type NotFreshAdmin,
  requireAdminForTrade,
  requireFreshAdmin,
} from "../../core/authorization.ts";
import { broadcastTradeUpdate } from "../../core/broadcast-update.ts";
import {
  type RefusalCode,
  refuseAction,
  runAtomically,
  type TradeRefusal,
  type TradeResult,
} from "../../core/outcomes.ts";
import { type PayoutStepRefusal, refusePayoutStep } from "../../core/refused-step.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { mailTo } from "../../notifications/mail-parties.ts";
import { notifyTransferNotArrived } from "../../notifications/transfer-not-arrived.ts";
import { unhideTrade } from "../../trade/unhide-trade.ts";

export type PayoutActionResult = TradeResult & { payout: Payout };
/** Why a step of any payout or refund is refused, beside the step's own reasons. */
type CommonRefusal =
  | Exclude<NoAdminGrant["code"], "TRANSACTION_NOT_FOUND">
  | "PAYOUT_NOT_FOUND"
  | "RECORD_ALTERED";
/** Result of a step of a payout or refund, which refuses with `Own` and what every step refuses with. */
export type PayoutActionOutcome<Own extends RefusalCode = RefusalCode> =
  | PayoutActionResult
  | TradeRefusal<Own | CommonRefusal>;
/** The same for a step that needs a fresh sign-in. */
export type FreshPayoutActionOutcome<Own extends RefusalCode> = PayoutActionOutcome<
  Own | NotFreshAdmin["code"]
>;

type PayoutContext = { at: Date; by: PayoutActor };
/** What a step of a payout or refund comes to before the trade follows it. */
type StepOutcome = PayoutStepDone | PayoutStepRefusal;
type PayoutStep<Outcome extends StepOutcome> = (
  tx: Tx,
  trade: Trade,
  doing: PayoutContext,
) => Promise<Outcome>;
type RefusalIn<Outcome extends StepOutcome> = Extract<Outcome, { ok: false }>["code"];

/**
 * Runs one step of a payout or refund under its trade's lock. Every step refuses AUTH_REQUIRED, ADMIN_REQUIRED, PAYOUT_NOT_FOUND and
 * OWN_TRADE. Repeating a step changes nothing.
 */
export async function runPayoutStep<Outcome extends StepOutcome>(
  actor: Actor,
  payoutId: number,
  work: PayoutStep<Outcome>,
): Promise<PayoutActionOutcome<RefusalIn<Outcome>>> {
  const at = currentTime();
  const seen = await findPayout(db(), payoutId);
  return runAtomically(async (tx): Promise<PayoutActionOutcome<RefusalIn<Outcome>>> => {
    const found = await requireAdminForTrade(tx, actor, seen?.reference ?? 0);
    if (!found.ok) {
      return found.code === "TRANSACTION_NOT_FOUND"
        ? refuseAction("PAYOUT_NOT_FOUND")
        : { ...found, code: found.code };
    }
    const doing = { at, by: await loadPayoutActor(tx, found.member, at) };
    const stepped: PayoutStepDone | PayoutStepRefusal<RefusalIn<Outcome>> = await work(
      tx,
      found.trade,
      doing,
    );
    if (!stepped.ok) return refusePayoutStep(tx, stepped, found.trade);
    return followPayoutStep(tx, found.trade, stepped, doing);
  });
}

/** Like `runPayoutStep`, for a step that moves money: refuses also REAUTH_REQUIRED. */
export async function runFreshPayoutStep<Outcome extends StepOutcome>(
  actor: Actor,
  payoutId: number,
  work: PayoutStep<Outcome>,
): Promise<FreshPayoutActionOutcome<RefusalIn<Outcome>>> {
  const admin = requireFreshAdmin(actor, currentTime());
  return admin.ok ? runPayoutStep(actor, payoutId, work) : admin;
}

/**
 * After a step: notifies the recipient of money that left, completes a trade once all of its money has left, and updates the room's open
 * pages.
 */
export async function followPayoutStep(
  tx: Tx,
  trade: Trade,
  { payout: record, repeated }: PayoutStepDone,
  doing: PayoutContext,
): Promise<PayoutActionResult> {
  if (repeated) return { ok: true, changed: false, trade, payout: record };
  const left = record.state === "sent" && record.sentAt?.getTime() === doing.at.getTime();
  if (left) await mailPayoutSent(tx, trade, record);
  const stands = { ...trade, held: await heldAmount(tx, trade.id), moneySent: trade.moneySent || left };
  // A record created at this step's time replaces one that was found not sent; a later step may leave it due, too.
  const replaced = record.state === "due" && record.createdAt.getTime() === doing.at.getTime();
  // The money of a transfer found not sent is in escrow or suspense again: an administrator must be able to find its trade.
  const seen = replaced ? await unhideTrade(tx, stands, doing) : stands;
  const done = await applyCommand(tx, seen, { kind: "money_left", who: "admin" }, doing);
  if (!done.ok) throw new Error(`escrow: money_left was refused: ${done.code}`);
  // A refund that was the last of the trade's money is named by the notice of its completion.
  if (left && record.kind === "refund" && !done.changed) {
    const params = { transactionId: trade.id, code: trade.code, amount: record.amount };
    await postNotice(tx, { roomId: trade.roomId, code: "refundSent", params, at: doing.at });
  }
  if (replaced) await notifyTransferNotArrived(tx, done.trade, record, doing.at);
  // What changed the trade, and each notice about it, have updated them already.
  if (!done.changed && !replaced) broadcastTradeUpdate(tx, done.trade);
  return { ok: true, changed: true, trade: done.trade, payout: record };
}

async function mailPayoutSent(
  tx: Tx,
  trade: Trade,
  { kind, amount, destination, bankReference }: Payout,
): Promise<void> {
  const sums = { amount, destination: formatDestination(destination), reference: bankReference ?? "" };
  const refund = kind === "refund";
  await mailTo(tx, trade, refund ? "buyer" : "seller", (reader) => ({
    template: refund ? "refundSent" : "payoutSent",
    data: { ...reader, ...sums },
  }));
}

/** A destination as mails show it: the bank and the last four digits of the account. */
export function formatDestination(destination: Payout["destination"]): string {
  return destination === null ? "" : `${destination.bankName} ${maskNumber(destination.accountNumber)}`;
}
