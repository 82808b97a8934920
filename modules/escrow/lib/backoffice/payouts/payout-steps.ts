import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { ClaimPayoutInput } from "#forms/payments";
import type { Actor } from "#modules/identity";
import {
  type ApproveRefusal,
  approvePayoutRecord,
  type ClaimRefusal,
  claimPayoutRecord,
  type DoneRefusal,
  findPayout,
  giveBankReference,
  heldAmount,
  lastFour,
  markPayoutDone,
  markPayoutSent,
  markPayoutUnknown,
  type Payout,
  type PayoutActor,
  type PayoutStepDone,
  type Resolution,
  type ResolveRefusal,
  resolveUnknownPayout,
  type SendRefusal,
  voidApproval,
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
import {
  type RefusalCode,
  refuseAction,
  runAtomically,
  type TradeRefusal,
  type TradeResult,
} from "../../core/outcomes.ts";
import { type PayoutStepRefusal, refusePayoutStep } from "../../core/refused-step.ts";
import { requireProviderAnswer, withProviderCheck } from "../../holds/check-before-payout.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { mailTo } from "../../notifications/mail-parties.ts";
import { notifyTransferNotArrived } from "../../notifications/transfer-not-arrived.ts";
import { unhideTrade } from "../../trade/unhide-trade.ts";
import { notifyAttempt, notifyFoundUnsent, notifySenderAfter } from "../transfers/notify-sender.ts";

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
async function runPayoutStep<Outcome extends StepOutcome>(
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

/** After a step: notifies the recipient of money that left, and completes a trade once all of its money has left. */
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
): PayoutStepRefusal<"DESTINATION_DIGEST_REQUIRED"> | null {
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
): Promise<FreshPayoutActionOutcome<ApproveRefusal | "DESTINATION_DIGEST_REQUIRED">> {
  const admin = requireFreshAdmin(actor, currentTime());
  if (!admin.ok) return admin;
  const due = await findPayout(db(), payoutId);
  // Approved ones too: a lapsed approval is given again.
  const leaves = due?.state === "due" || due?.state === "approved";
  return withProviderCheck(actor, { tradeId: due?.reference ?? 0, leaves }, (asked) =>
    runFreshPayoutStep(actor, payoutId, async (tx, _, doing) => {
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
  input: ClaimPayoutInput = {},
): Promise<FreshPayoutActionOutcome<ClaimRefusal>> {
  return runFreshPayoutStep(actor, payoutId, (tx, trade, doing) =>
    notifySenderAfter(tx, trade, payoutId, doing.by.userId, () =>
      claimPayoutRecord(tx, { ...input, id: payoutId, ...doing }),
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
): Promise<PayoutActionOutcome<"PAYOUT_CONFLICT" | "PAYOUT_CLAIMED">> {
  return runPayoutStep(actor, payoutId, (tx, trade, doing) =>
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
): Promise<FreshPayoutActionOutcome<SendRefusal | "DESTINATION_DIGEST_REQUIRED">> {
  const admin = requireFreshAdmin(actor, currentTime());
  if (!admin.ok) return admin;
  const seen = await findPayout(db(), payoutId);
  // Days may pass between the approval and this: the provider may have reversed the payment since.
  const due = { tradeId: seen?.reference ?? 0, leaves: seen?.state === "approved" };
  const sent = await withProviderCheck(actor, due, (asked) =>
    runFreshPayoutStep(actor, payoutId, async (tx, _, doing) => {
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
): Promise<PayoutActionOutcome<DoneRefusal>> {
  return runPayoutStep(actor, payoutId, (tx, _, doing) => markPayoutDone(tx, { id: payoutId, ...doing }));
}

/**
 * Marks a payout or refund as in doubt: nobody knows whether it left. All money of the trade waits until a person finds out. Refuses
 * PAYOUT_CONFLICT.
 */
export function markPayoutUnknownAsAdmin(
  actor: Actor,
  payoutId: number,
  { reason }: { reason: string },
): Promise<PayoutActionOutcome<"PAYOUT_CONFLICT">> {
  return runPayoutStep(actor, payoutId, (tx, _, doing) =>
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
): Promise<FreshPayoutActionOutcome<ResolveRefusal>> {
  return runFreshPayoutStep(actor, payoutId, async (tx, trade, doing) => {
    const before = await findPayout(tx, payoutId);
    const stepped = await resolveUnknownPayout(tx, { id: payoutId, ...found, ...doing } as Resolution);
    const undone = stepped.ok && !stepped.repeated && found.outcome === "not_sent" && before?.sentAt != null;
    if (undone) await notifyFoundUnsent(tx, trade, stepped.payout);
    return stepped;
  });
}
