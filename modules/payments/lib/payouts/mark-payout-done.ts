import type { Tx } from "#db/client";
import { type FourEyesRefusal, fourEyesRefusal } from "./four-eyes.ts";
import { lockPayout, type PayoutActor, type PayoutRecordResult, recordPayoutStep } from "./payouts.ts";

/** The administrator who read the outcome of a transfer on the bank statement. Lines of an imported statement will become another kind. */
export type Witness = PayoutActor;

export type DoneRefusal =
  | "PAYOUT_NOT_FOUND"
  | "PAYOUT_CONFLICT"
  | "BANK_REFERENCE_REQUIRED"
  | FourEyesRefusal;

/**
 * Records that an administrator saw a sent payout or refund on the bank statement. It must be another one than the sender. Repeating it
 * changes nothing. Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT (not sent); BANK_REFERENCE_REQUIRED (sent without a bank
 * reference, which must be added first); FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
 */
export async function markPayoutDone(
  tx: Tx,
  input: { id: number; at: Date; by: Witness },
): Promise<PayoutRecordResult<DoneRefusal>> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (before.state === "done") return { ok: true, payout: before, repeated: true };
  if (before.state !== "sent") return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  if (before.referenceMissing) return { ok: false, code: "BANK_REFERENCE_REQUIRED", current: before };
  const { by } = input;
  const reviewerRefusal = before.sentBy === null ? null : fourEyesRefusal(before.sentBy, by);
  if (reviewerRefusal !== null) return { ok: false, code: reviewerRefusal, current: before };
  const change = { state: "done" as const, doneBy: by.userId, doneAt: input.at };
  const after = await recordPayoutStep(tx, before, change, { action: "done", by, at: input.at });
  return { ok: true, payout: after, repeated: false };
}
