import type { Tx } from "#db/client";
import { postJournal, sourceAccount } from "../ledger/ledger.ts";
import { bankReferenceTaken, plainReference } from "../received/bank-reference.ts";
import type { Payout } from "../schema/money.ts";
import { leftBeforeHalt } from "../treasury/halt-money.ts";
import { approvalRefusal } from "./approval-rules.ts";
import { isSourceFullyPromised, outgoingRefusal } from "./approve-payout.ts";
import { destinationDigest } from "./destination-digest.ts";
import { type FourEyesRefusal, needsFourEyes, senderRefusal } from "./four-eyes.ts";
import {
  claimedByAnother,
  lockPayout,
  type PayoutActor,
  type PayoutRecordResult,
  recordPayoutStep,
} from "./payouts.ts";

export type SendRefusal =
  | "PAYOUT_NOT_FOUND"
  | "PAYOUT_CONFLICT"
  | "MONEY_HALTED"
  | "PAYOUT_UNKNOWN_OPEN"
  | "TRADE_ON_HOLD"
  | "APPROVAL_LAPSED"
  | "ACCOUNT_JUST_CORRECTED"
  | FourEyesRefusal
  | "PAYOUT_CLAIMED"
  | "BANK_REFERENCE_USED"
  | "PAYOUT_NOT_WHOLE";

/**
 * Records that an approved payout or refund left the bank, and posts its journal: the one moment at which money leaves the ledger.
 * `bankReference` is null only for an administrator's `complete` call without a body: then the payout stays in the queue until
 * `giveBankReference`. `shown` is the digest of the destination that the administrator saw. An unclaimed payout can be sent without a
 * claim. A payout claimed before a halt may have left before it, so with its bank reference it is recorded while money is halted. The same
 * reference again returns ok, repeated. Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT (not approved, sent with another
 * reference, or another destination than the one shown); MONEY_HALTED; PAYOUT_UNKNOWN_OPEN; TRADE_ON_HOLD; APPROVAL_LAPSED,
 * ACCOUNT_JUST_CORRECTED; FOUR_EYES_REQUIRED, FOUR_EYES_RELATED; PAYOUT_CLAIMED (another administrator has claimed it);
 * BANK_REFERENCE_USED; PAYOUT_NOT_WHOLE.
 */
export async function markPayoutSent(
  tx: Tx,
  input: { id: number; bankReference: string | null; shown?: string | undefined; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<SendRefusal>> {
  const bankReference = input.bankReference === null ? null : plainReference(input.bankReference);
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (before.state !== "approved") {
    const sent = before.state === "sent" || before.state === "done";
    return sent && (bankReference === null || bankReference === before.bankReference)
      ? { ok: true, payout: before, repeated: true }
      : { ok: false, code: "PAYOUT_CONFLICT", current: before };
  }
  if (input.shown !== undefined && input.shown !== destinationDigest(before.destination)) {
    return { ok: false, code: "PAYOUT_CONFLICT", current: before, textKey: "admin.payout.accountChanged" };
  }
  const left = bankReference !== null && (await leftBeforeHalt(tx, before, input.by));
  const stopped = (await outgoingRefusal(tx, before, { left })) ?? (await approvalRefusal(before, input));
  if (stopped !== null) return { ok: false, code: stopped, current: before };
  const reviewerRefusal = await senderRefusal(tx, before, input.by);
  if (reviewerRefusal !== null) return { ok: false, code: reviewerRefusal, current: before };
  if (claimedByAnother(before, input.by)) return { ok: false, code: "PAYOUT_CLAIMED", current: before };
  if (bankReference !== null && (await bankReferenceTaken(tx, bankReference, before.id))) {
    return { ok: false, code: "BANK_REFERENCE_USED", current: before };
  }
  if (!(await isSourceFullyPromised(tx, before)))
    return { ok: false, code: "PAYOUT_NOT_WHOLE", current: before };
  // From here on nothing may be refused.
  const after = await postPayoutSent(tx, before, { ...input, bankReference, action: "sent" });
  return { ok: true, payout: after, repeated: false };
}

/**
 * Adds the bank's reference to a payout that was sent without one. Repeating it changes nothing. Refuses: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT
 * (not sent, or sent with another reference); BANK_REFERENCE_USED.
 */
export async function giveBankReference(
  tx: Tx,
  input: { id: number; bankReference: string; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<"PAYOUT_NOT_FOUND" | "PAYOUT_CONFLICT" | "BANK_REFERENCE_USED">> {
  const bankReference = plainReference(input.bankReference);
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (before.bankReference === bankReference) return { ok: true, payout: before, repeated: true };
  if (!before.referenceMissing) return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  if (await bankReferenceTaken(tx, bankReference, before.id)) {
    return { ok: false, code: "BANK_REFERENCE_USED", current: before };
  }
  const change = { bankReference, referenceMissing: false };
  const after = await recordPayoutStep(tx, before, change, {
    action: "reference",
    by: input.by,
    at: input.at,
  });
  return { ok: true, payout: after, repeated: false };
}

/** Posts the journal of a payout and marks it as sent. The caller has done every check. */
export async function postPayoutSent(
  tx: Tx,
  before: Payout,
  input: { bankReference: string | null; at: Date; by: PayoutActor; action: "sent" | "found_sent" },
): Promise<Payout> {
  await postJournal(tx, {
    event: `payout:${before.id}`,
    kind: before.kind,
    reference: before.reference,
    payoutId: before.id,
    at: input.at,
    lines: [
      { account: sourceAccount(before.reference, before.source), debit: before.amount + before.fee },
      { account: "bank", credit: before.amount },
      { account: "fees", credit: before.fee },
    ],
  });
  const change = {
    state: "sent" as const,
    sentBy: input.by.userId,
    sentAt: input.at,
    bankReference: input.bankReference,
    referenceMissing: input.bankReference === null,
    fourEyes: before.fourEyes || (await needsFourEyes(tx, before.reference)),
  };
  return recordPayoutStep(tx, before, change, { action: input.action, by: input.by, at: input.at });
}
