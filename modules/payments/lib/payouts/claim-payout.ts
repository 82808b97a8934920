import type { Tx } from "#db/client";
import type { ClaimPayoutInput } from "../../forms.ts";
import { approvalRefusal } from "./approval-rules.ts";
import { outgoingRefusal } from "./approve-payout.ts";
import { type FourEyesRefusal, senderRefusal } from "./four-eyes.ts";
import { lockPayout, type PayoutActor, type PayoutRecordResult, recordPayoutStep } from "./payouts.ts";

export type ClaimRefusal =
  | "PAYOUT_NOT_FOUND"
  | "PAYOUT_CONFLICT"
  | "PAYOUT_CLAIMED"
  | "MONEY_HALTED"
  | "PAYOUT_UNKNOWN_OPEN"
  | "TRADE_ON_HOLD"
  | "APPROVAL_LAPSED"
  | "ACCOUNT_JUST_CORRECTED"
  | FourEyesRefusal;

/**
 * Claims an approved payout or refund: records which administrator makes its transfer at the bank, so that nobody else makes it too. `from`
 * is the administrator who held the claim when this one looked: the claim is taken over from exactly them; without it only an unclaimed
 * payout is claimed. A payout in doubt that is not posted yet can be claimed too, by the administrator who will resolve it. Repeating it changes
 * nothing. Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT (neither approved nor such a payout in doubt); PAYOUT_CLAIMED (claimed
 * by another administrator than `from`); and for an approved one MONEY_HALTED; PAYOUT_UNKNOWN_OPEN; TRADE_ON_HOLD; APPROVAL_LAPSED,
 * ACCOUNT_JUST_CORRECTED; FOUR_EYES_REQUIRED, FOUR_EYES_RELATED.
 */
export async function claimPayoutRecord(
  tx: Tx,
  input: ClaimPayoutInput & { id: number; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<ClaimRefusal>> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  const doubted = before.state === "unknown" && before.sentAt === null;
  if (before.state !== "approved" && !doubted) return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  if (before.claimedBy === input.by.userId) return { ok: true, payout: before, repeated: true };
  if (before.claimedBy !== null && before.claimedBy !== input.from) {
    return { ok: false, code: "PAYOUT_CLAIMED", current: before };
  }
  const refusal = doubted
    ? null
    : ((await outgoingRefusal(tx, before)) ??
      (await approvalRefusal(before, input)) ??
      (await senderRefusal(tx, before, input.by)));
  if (refusal !== null) return { ok: false, code: refusal, current: before };
  const change = {
    claimedBy: input.by.userId,
    claimedAt: input.at,
    claimNote: input.note ?? null,
    takenOverFrom: before.claimedBy,
  };
  const action = before.claimedBy === null ? "claimed" : "taken_over";
  const after = await recordPayoutStep(tx, before, change, { action, by: input.by, at: input.at });
  return { ok: true, payout: after, repeated: false };
}
