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
 * A step of one payout or refund under its trade's lock. Every verb of one may refuse AUTH_REQUIRED, ADMIN_REQUIRED,
 * PAYOUT_NOT_FOUND and OWN_TRADE; those that move money also REAUTH_REQUIRED. A repeat changes nothing.
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

/** After a step: whoever gets the money is told, and a trade whose money has all left is complete. */
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
  // The record that takes its place is made by this step; a later step of it may leave it due, too.
  const replaced = record.state === "due" && record.createdAt.getTime() === doing.at.getTime();
  // What was found not sent lies in escrow or suspense again: its trade must be somebody's to see.
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

/** Where money goes, as a mail says it: the bank, and the account's last four places. */
export function formatDestination(destination: Payout["destination"]): string {
  return destination === null ? "" : `${destination.bankName} ••${lastFour(destination.accountNumber)}`;
}

/** What a person was shown of where money goes. */
export type ShownDestination = { destinationDigest?: string | undefined };

/** Nobody moves money to an account they do not say they saw. Refuses DESTINATION_DIGEST_REQUIRED. */
export function refuseUnseenDestination(
  record: Payout | null | undefined,
  shown: string | undefined,
): PayoutStepRefusal | null {
  if (shown !== undefined || record?.destination == null) return null;
  return { ok: false, code: "DESTINATION_DIGEST_REQUIRED" };
}

/**
 * Freezes where a due payout or refund goes, once the provider was asked about the trade's payments again; a corrected account takes two
 * administrators, three hours later at the earliest. Refuses TRADE_ON_HOLD, DESTINATION_REQUIRED, DESTINATION_DIGEST_REQUIRED,
 * PAYOUT_CONFLICT (also when the account is not the one that was shown any more), MONEY_HALTED, PAYOUT_UNKNOWN_OPEN,
 * ACCOUNT_JUST_CORRECTED, FOUR_EYES_REQUIRED and FOUR_EYES_RELATED (who named the account of a refund in its buyer's place, or approved
 * it first).
 */
export async function approvePayoutAsAdmin(
  actor: Actor,
  payoutId: number,
  { destinationDigest: shown }: ShownDestination = {},
): Promise<PayoutActionResult | TradeRefusal> {
  const admin = requireFreshAdmin(actor, currentTime());
  if (!admin.ok) return admin;
  const due = await findPayout(db(), payoutId);
  // Also where it is approved: a lapsed approval is given again.
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
 * Says that the administrator makes the transfer of an approved payout or refund at the bank. Where another does, `from` names
 * them: it is taken over from exactly them, and they are told. Refuses PAYOUT_CONFLICT, PAYOUT_CLAIMED (`name`), MONEY_HALTED,
 * PAYOUT_UNKNOWN_OPEN, TRADE_ON_HOLD, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
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
 * Takes an approval back, so that the destination may be corrected. Where another makes the transfer, `from` names them, and they are
 * told. Refuses PAYOUT_CONFLICT once it is sent, PAYOUT_CLAIMED (`name`: another makes the transfer than was named).
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
 * Records that an approved payout or refund has left, with the bank's number of it, once the provider was asked about the trade's payments
 * again; one sent without gets its number. While money is halted only what was claimed before it is recorded. Refuses PAYOUT_CONFLICT,
 * DESTINATION_DIGEST_REQUIRED, PAYOUT_CLAIMED (`name`: another makes the transfer, who is told), BANK_REFERENCE_USED, APPROVAL_LAPSED,
 * ACCOUNT_JUST_CORRECTED, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED, MONEY_HALTED, PAYOUT_UNKNOWN_OPEN, TRADE_ON_HOLD.
 */
export async function markPayoutSentAsAdmin(
  actor: Actor,
  payoutId: number,
  { bankReference, destinationDigest: shown }: { bankReference: string } & ShownDestination,
): Promise<PayoutActionResult | TradeRefusal> {
  const admin = requireFreshAdmin(actor, currentTime());
  if (!admin.ok) return admin;
  const seen = await findPayout(db(), payoutId);
  // Days may lie between the approval and this: the provider may have taken the payment back since.
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
 * Records that a sent payout or refund was seen on the bank's statement, by another than who sent it. Refuses PAYOUT_CONFLICT,
 * BANK_REFERENCE_REQUIRED, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
 */
export function markPayoutDoneAsAdmin(
  actor: Actor,
  payoutId: number,
): Promise<PayoutActionResult | TradeRefusal> {
  return runPayoutStep(actor, payoutId, false, (tx, _, doing) =>
    markPayoutDone(tx, { id: payoutId, ...doing }),
  );
}

/** Says that nobody knows whether it left; all money of the trade waits until a person finds out. Refuses PAYOUT_CONFLICT. */
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
 * What a person found out about money in doubt; that a transfer the books had as sent was not is another's to say than the sender's,
 * and every administrator is told. Refuses PAYOUT_CONFLICT, FOUR_EYES_REQUIRED, FOUR_EYES_RELATED, PAYOUT_CLAIMED,
 * BANK_REFERENCE_USED.
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
