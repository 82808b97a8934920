import type { Payout } from "../schema/money.ts";
import type { PayoutActor } from "./payouts.ts";

/** For so long nothing is paid to an account that its owner has just replaced: whoever lost it may still say so. */
export const CORRECTION_WAIT_MS = 3 * 3_600_000;

/** True where the record's account was corrected, so that two administrators approve it. */
export function needsSecondApproval({ correctedAt }: Pick<Payout, "correctedAt">): boolean {
  return correctedAt !== null;
}

/** When a record whose account was corrected may be paid; null where it was not corrected. */
export function payableFrom({ correctedAt }: Pick<Payout, "correctedAt">): Date | null {
  return correctedAt === null ? null : new Date(correctedAt.getTime() + CORRECTION_WAIT_MS);
}

/** Whether the right that an approval was given by is lost: its giver's, or of a corrected account that of either of the two. */
export async function isApprovalLost(
  { approvedBy, approvedAt, firstApprovedBy, firstApprovedAt, correctedAt }: Payout,
  keepsRight: PayoutActor["keepsRight"],
): Promise<boolean> {
  const holds = async (who: number | null, since: Date | null) =>
    who !== null && since !== null && (await keepsRight(who, since));
  if (!(await holds(approvedBy, approvedAt))) return true;
  return correctedAt !== null && !(await holds(firstApprovedBy, firstApprovedAt));
}

/**
 * Why an approval does not carry a payment, or null where it does: its giver, or of a corrected account either of the two, has lost
 * the right they gave it by, or an older version approved such an account alone.
 */
export async function approvalRefusal(
  payout: Payout,
  { at, by }: { at: Date; by: PayoutActor },
): Promise<"APPROVAL_LAPSED" | "ACCOUNT_JUST_CORRECTED" | null> {
  if (await isApprovalLost(payout, by.keepsRight)) return "APPROVAL_LAPSED";
  return isCoolingOff(payout, at) ? "ACCOUNT_JUST_CORRECTED" : null;
}

/** True while nothing may be paid to a corrected account. */
export function isCoolingOff(payout: Pick<Payout, "correctedAt">, at: Date): boolean {
  const from = payableFrom(payout);
  return from !== null && at < from;
}
