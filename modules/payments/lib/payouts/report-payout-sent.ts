import type { Tx } from "#db/client";
import { holdTransfer } from "../holds/held-transfer.ts";
import { plainReference } from "../received/bank-reference.ts";
import {
  claimedByAnother,
  lockPayout,
  type PayoutActor,
  type PayoutRecordResult,
  recordPayoutStep,
} from "./payouts.ts";

/**
 * Records that an administrator had already made a transfer when another took over its claim, and under which bank reference. The payout is
 * then in doubt until both have checked the bank, so that it is not sent twice. A report also counts after the other administrator has
 * recorded their transfer, because two transfers may have left. Repeating it changes nothing. Refuses: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT
 * (no other administrator claimed or sent the transfer, or it is finished, or another report exists).
 */
export async function reportPayoutSent(
  tx: Tx,
  input: { id: number; bankReference: string; reason: string; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<"PAYOUT_NOT_FOUND" | "PAYOUT_CONFLICT">> {
  const { at, by } = input;
  const reportedReference = plainReference(input.bankReference);
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (before.reportedBy === by.userId && before.reportedReference === reportedReference) {
    return { ok: true, payout: before, repeated: true };
  }
  const open = ["approved", "sent", "unknown"].includes(before.state) && before.reportedBy === null;
  const anothers = before.sentBy === null ? claimedByAnother(before, by) : before.sentBy !== by.userId;
  if (!open || !anothers) return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  const doubt = { state: "unknown" as const, unknownBy: by.userId, unknownAt: at, reason: input.reason };
  const change = {
    ...(before.state !== "unknown" && doubt),
    reportedBy: by.userId,
    reportedAt: at,
    reportedReference,
  };
  const after = await recordPayoutStep(tx, before, change, { action: "reported_sent", by, at });
  if (before.state !== "unknown") await holdTransfer(tx, after, { reason: input.reason, at, by });
  return { ok: true, payout: after, repeated: false };
}
