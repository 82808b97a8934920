import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Actor } from "#modules/identity";
import {
  approvePayoutRecord,
  claimPayoutRecord,
  findPayout,
  giveBankReference,
  heldAmount,
  lastFour,
  markPayoutDone,
  markPayoutSent,
  markPayoutUnknown,
  type Payout,
  type PayoutActor,
  type PayoutRecordResult,
  type Resolution,
  resolveUnknownPayout,
  voidApproval,
} from "#modules/payments";
import { postNotice } from "#modules/rooms";
import { applyCommand } from "../../core/apply-command.ts";
import { loadPayoutActor, requireAdminForTrade, requireFreshAdmin } from "../../core/authorization.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../../core/outcomes.ts";
import { type PayoutStepRefusal, refusePayoutStep } from "../../core/refused-step.ts";
import { requireProviderAnswer, withProviderCheck } from "../../holds/check-before-payout.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { mailTo } from "../../notifications/mail-parties.ts";
import { notifyTransferNotArrived } from "../../notifications/transfer-not-arrived.ts";
import { unhideTrade } from "../../trade/unhide-trade.ts";
import { notifyAttempt, notifyFoundUnsent, notifySenderAfter } from "../transfers/notify-sender.ts";

export type PayoutActionResult = TradeResult & { payout: Payout };
type PayoutContext = { at: Date; by: PayoutActor };
type PayoutStep = (
  tx: Tx,
  trade: Trade,
  doing: PayoutContext,
) => Promise<PayoutRecordResult | PayoutStepRefusal>;

/**
 * Runs one step of a payout or refund under its trade's lock. Every step refuses AUTH_REQUIRED, ADMIN_REQUIRED, PAYOUT_NOT_FOUND and
 * OWN_TRADE; those that move money (`fresh`) also REAUTH_REQUIRED. Repeating a step changes nothing.
 */
export async function runPayoutStep(
  actor: Actor,
  payoutId: number,
  fresh: boolean,
  work: PayoutStep,
): Promise<PayoutActionResult | TradeRefusal> {
  const at = currentTime();
  if (fresh) {
    const admin = requireFreshAdmin(actor, at);
    if (!admin.ok) return admin;
  }
  const seen = await findPayout(db(), payoutId);
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, seen?.reference ?? 0);
    if (!found.ok) return found.code === "TRANSACTION_NOT_FOUND" ? refuseAction("PAYOUT_NOT_FOUND") : found;
    const doing = { at, by: await loadPayoutActor(tx, found.member, at) };
    const stepped = await work(tx, found.trade, doing);
    if (!stepped.ok) return refusePayoutStep(tx, stepped, found.trade);
    return followPayoutStep(tx, found.trade, stepped, doing);
  });
}

/** After a step: notifies the recipient of money that left, and completes a trade once all of its money has left. */
export async function followPayoutStep(
  tx: Tx,
  trade: Trade,
  { payout: record, repeated }: PayoutRecordResult & { ok: true },
  doing: PayoutContext,
): Promise<PayoutActionResult | TradeRefusal> {
  if (repeated) return { ok: true, changed: false, trade, payout: record };
  const left = record.state === "sent" && record.sentAt?.getTime() === doing.at.getTime();
  if (left) await mailPayoutSent(tx, trade, record);
  const stands = { ...trade, held: await heldAmount(tx, trade.id), moneySent: trade.moneySent || left };
  // A record created at this step's time replaces one that was found not sent; a later step may leave it due, too.
  const replaced = record.state === "due" && record.createdAt.getTime() === doing.at.getTime();
  // The money of a transfer found not sent is in escrow or suspense again: an administrator must be able to find its trade.
  const seen = replaced ? await unhideTrade(tx, stands, doing) : stands;
  const done = await applyCommand(tx, seen, { kind: "money_left", who: "admin" }, doing);
  if (!done.ok) return done;
  if (left && record.kind === "refund") {
    const params = { transactionId: trade.id, code: trade.code, amount: record.amount };
    await postNotice(tx, { roomId: trade.roomId, code: "refundSent", params, at: doing.at });
  }
  if (replaced) await notifyTransferNotArrived(tx, done.trade, record, doing.at);
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
  return destination === null ? "" : `${destination.bankName} ••${lastFour(destination.accountNumber)}`;
}

/** The destination that the administrator was shown. */
export type ShownDestination = { destinationDigest?: string | undefined };

/**
 * Refuses DESTINATION_DIGEST_REQUIRED unless the caller names the destination it was shown: nobody moves money to an account they did not
 * see.
 */
export function refuseUnseenDestination(
  record: Payout | null | undefined,
  shown: string | undefined,
): PayoutStepRefusal | null {
  if (shown !== undefined || record?.destination == null) return null;
  return { ok: false, code: "DESTINATION_DIGEST_REQUIRED" };
}

/**
 * Approves a due payout or refund and freezes its destination, after the provider was asked about the trade's payments again. A corrected
 * account needs two administrators, and the second may approve it three hours after the correction at the earliest. Refuses TRADE_ON_HOLD,
 * DESTINATION_REQUIRED, DESTINATION_DIGEST_REQUIRED, PAYOUT_CONFLICT (also if the account is no longer the one that was shown),
 * MONEY_HALTED, PAYOUT_UNKNOWN_OPEN, ACCOUNT_JUST_CORRECTED, FOUR_EYES_REQUIRED and FOUR_EYES_RELATED (to the administrator who named a
 * refund's account in the buyer's place, or approved it first).
 */
export async function approvePayoutAsAdmin(
  actor: Actor,
  payoutId: number,
  { destinationDigest: shown }: ShownDestination = {},
): Promise<PayoutActionResult | TradeRefusal> {
  const admin = requireFreshAdmin(actor, currentTime());
  if (!admin.ok) return admin;
  const due = await findPayout(db(), payoutId);
  // Approved ones too: a lapsed approval is given again.
  const leaves = due?.state === "due" || due?.state === "approved";
  return withProviderCheck(actor, { tradeId: due?.reference ?? 0, leaves }, (asked) =>
    runPayoutStep(actor, payoutId, true, async (tx, _, doing) => {
      const none = refuseUnseenDestination(await findPayout(tx, payoutId), shown);
      return (
        none ?? requireProviderAnswer(asked, await approvePayoutRecord(tx, { id: payoutId, shown, ...doing }))
      );
    }),
  );
}

/**
 * Claims the transfer of an approved payout or refund: the administrator makes it at the bank. If another administrator has claimed it,
 * `from` must name them: the claim is taken over from exactly that person, who is notified. Refuses PAYOUT_CONFLICT, PAYOUT_CLAIMED
 * (`name`), MONEY_HALTED, PAYOUT_UNKNOWN_OPEN, TRADE_ON_HOLD, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
 */
export function claimPayoutAsAdmin(
  actor: Actor,
  payoutId: number,
  { from = null }: { from?: number | null | undefined } = {},
): Promise<PayoutActionResult | TradeRefusal> {
  return runPayoutStep(actor, payoutId, true, (tx, trade, doing) =>
    notifySenderAfter(tx, trade, payoutId, doing.by.userId, () =>
      claimPayoutRecord(tx, { id: payoutId, from, ...doing }),
    ),
  );
}

/**
 * Withdraws an approval, so that the destination can be corrected. If another administrator makes the transfer, `from` must name them, and
 * they are notified. Refuses PAYOUT_CONFLICT once it is sent, PAYOUT_CLAIMED (`name`: someone else than `from` makes the transfer).
 */
export function withdrawApprovalAsAdmin(
  actor: Actor,
  payoutId: number,
  { reason, from = null }: { reason: string; from?: number | null | undefined },
): Promise<PayoutActionResult | TradeRefusal> {
  return runPayoutStep(actor, payoutId, false, (tx, trade, doing) =>
    notifySenderAfter(tx, trade, payoutId, doing.by.userId, () =>
      voidApproval(tx, { id: payoutId, from, reason, ...doing }),
    ),
  );
}

/**
 * Records that an approved payout or refund has left, with its bank reference, after the provider was asked about the trade's payments
 * again. One that was sent without a reference gets it. While money is halted, only what was claimed before the halt is recorded. Refuses
 * PAYOUT_CONFLICT, DESTINATION_DIGEST_REQUIRED, PAYOUT_CLAIMED (`name`: another administrator makes the transfer, and is notified),
 * BANK_REFERENCE_USED, APPROVAL_LAPSED, ACCOUNT_JUST_CORRECTED, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED, MONEY_HALTED, PAYOUT_UNKNOWN_OPEN,
 * TRADE_ON_HOLD.
 */
export async function markPayoutSentAsAdmin(
  actor: Actor,
  payoutId: number,
  { bankReference, destinationDigest: shown }: { bankReference: string } & ShownDestination,
): Promise<PayoutActionResult | TradeRefusal> {
  const admin = requireFreshAdmin(actor, currentTime());
  if (!admin.ok) return admin;
  const seen = await findPayout(db(), payoutId);
  // Days may pass between the approval and this: the provider may have reversed the payment since.
  const due = { tradeId: seen?.reference ?? 0, leaves: seen?.state === "approved" };
  const sent = await withProviderCheck(actor, due, (asked) =>
    runPayoutStep(actor, payoutId, true, async (tx, _, doing) => {
      const record = await findPayout(tx, payoutId);
      if (record?.referenceMissing) return giveBankReference(tx, { id: payoutId, bankReference, ...doing });
      const none = refuseUnseenDestination(record, shown);
      return (
        none ??
        requireProviderAnswer(
          asked,
          await markPayoutSent(tx, { id: payoutId, bankReference, shown, ...doing }),
        )
      );
    }),
  );
  if (!sent.ok && sent.code === "PAYOUT_CLAIMED") {
    const record = await findPayout(db(), payoutId);
    if (record !== null) await notifyAttempt(actor, record, currentTime());
  }
  return sent;
}

/**
 * Records that a sent payout or refund was seen on the bank statement, by another administrator than the one who sent it. Refuses
 * PAYOUT_CONFLICT, BANK_REFERENCE_REQUIRED, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
 */
export function markPayoutDoneAsAdmin(
  actor: Actor,
  payoutId: number,
): Promise<PayoutActionResult | TradeRefusal> {
  return runPayoutStep(actor, payoutId, false, (tx, _, doing) =>
    markPayoutDone(tx, { id: payoutId, ...doing }),
  );
}

/**
 * Marks a payout or refund as in doubt: nobody knows whether it left. All money of the trade waits until a person finds out. Refuses
 * PAYOUT_CONFLICT.
 */
export function markPayoutUnknownAsAdmin(
  actor: Actor,
  payoutId: number,
  { reason }: { reason: string },
): Promise<PayoutActionResult | TradeRefusal> {
  return runPayoutStep(actor, payoutId, false, (tx, _, doing) =>
    markPayoutUnknown(tx, { id: payoutId, reason, ...doing }),
  );
}

type PayoutResolution = { outcome: "sent"; bankReference: string } | { outcome: "not_sent"; reason: string };

/**
 * Records what an administrator found out about a payout or refund in doubt. If the ledger has it as sent, only another administrator than
 * its sender may say that it was not, and every administrator is notified. Refuses PAYOUT_CONFLICT, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED,
 * PAYOUT_CLAIMED, BANK_REFERENCE_USED.
 */
export function resolvePayoutAsAdmin(
  actor: Actor,
  payoutId: number,
  found: PayoutResolution,
): Promise<PayoutActionResult | TradeRefusal> {
  return runPayoutStep(actor, payoutId, true, async (tx, trade, doing) => {
    const before = await findPayout(tx, payoutId);
    const stepped = await resolveUnknownPayout(tx, { id: payoutId, ...found, ...doing } as Resolution);
    const undone = stepped.ok && !stepped.repeated && found.outcome === "not_sent" && before?.sentAt != null;
    if (undone) await notifyFoundUnsent(tx, trade, stepped.payout);
    return stepped;
  });
}
