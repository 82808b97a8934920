import { db } from "#db/client";
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
  markPayoutDone,
  markPayoutSent,
  markPayoutUnknown,
  type Payout,
  type Resolution,
  type ResolveRefusal,
  resolveUnknownPayout,
  type SendRefusal,
  voidApproval,
} from "#modules/payments";
import { requireFreshAdmin } from "../../core/authorization.ts";
import type { PayoutStepRefusal } from "../../core/refused-step.ts";
import { requireProviderAnswer, withProviderCheck } from "../../holds/check-before-payout.ts";
import { notifyAttempt, notifyFoundUnsent, notifySenderAfter } from "../transfers/notify-sender.ts";
import {
  type FreshPayoutActionOutcome,
  type PayoutActionOutcome,
  runFreshPayoutStep,
  runPayoutStep,
} from "./run-payout-step.ts";

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
    runFreshPayoutStep(actor, payoutId, async (tx, _, changeContext) => {
      const none = refuseUnseenDestination(await findPayout(tx, payoutId), shown);
      return (
        none ??
        requireProviderAnswer(asked, await approvePayoutRecord(tx, { id: payoutId, shown, ...changeContext }))
      );
    }),
  );
}

/**
 * Claims the transfer of an approved payout or refund: the administrator makes it at the bank. If another administrator has claimed it,
 * `from` must name them: the claim is taken over from exactly that person, who is notified. Refuses PAYOUT_CONFLICT, PAYOUT_CLAIMED
 * (`name`), MONEY_HALTED, PAYOUT_UNKNOWN_OPEN, TRADE_ON_HOLD, APPROVAL_LAPSED, ACCOUNT_JUST_CORRECTED, FOUR_EYES_REQUIRED and
 * FOUR_EYES_RELATED.
 */
export function claimPayoutAsAdmin(
  actor: Actor,
  payoutId: number,
  input: ClaimPayoutInput = {},
): Promise<FreshPayoutActionOutcome<ClaimRefusal>> {
  return runFreshPayoutStep(actor, payoutId, (tx, trade, changeContext) =>
    notifySenderAfter(tx, trade, payoutId, changeContext.by.userId, () =>
      claimPayoutRecord(tx, { ...input, id: payoutId, ...changeContext }),
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
  return runPayoutStep(actor, payoutId, (tx, trade, changeContext) =>
    notifySenderAfter(tx, trade, payoutId, changeContext.by.userId, () =>
      voidApproval(tx, { id: payoutId, from, reason, ...changeContext }),
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
    runFreshPayoutStep(actor, payoutId, async (tx, _, changeContext) => {
      const record = await findPayout(tx, payoutId);
      if (record?.referenceMissing)
        return giveBankReference(tx, { id: payoutId, bankReference, ...changeContext });
      const none = refuseUnseenDestination(record, shown);
      return (
        none ??
        requireProviderAnswer(
          asked,
          await markPayoutSent(tx, { id: payoutId, bankReference, shown, ...changeContext }),
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
  return runPayoutStep(actor, payoutId, (tx, _, changeContext) =>
    markPayoutDone(tx, { id: payoutId, ...changeContext }),
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
): Promise<PayoutActionOutcome<"PAYOUT_CONFLICT">> {
  return runPayoutStep(actor, payoutId, (tx, _, changeContext) =>
    markPayoutUnknown(tx, { id: payoutId, reason, ...changeContext }),
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
  return runFreshPayoutStep(actor, payoutId, async (tx, trade, changeContext) => {
    const before = await findPayout(tx, payoutId);
    const stepped = await resolveUnknownPayout(tx, {
      id: payoutId,
      ...found,
      ...changeContext,
    } as Resolution);
    const undone = stepped.ok && !stepped.repeated && found.outcome === "not_sent" && before?.sentAt != null;
    if (undone) await notifyFoundUnsent(tx, trade, stepped.payout);
    return stepped;
  });
}
