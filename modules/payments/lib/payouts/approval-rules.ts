import type { Payout } from "../schema/money.ts";
import type { PayoutActor } from "./payouts.ts";

/**
 * How long, in ms, nothing is paid to an account that its owner has just replaced: if someone else replaced it, the owner has time to
 * report it.
 */
export const CORRECTION_WAIT_MS = 3 * 3_600_000;

/** True if the payout's account was corrected, so that two administrators must approve it. */
export function needsSecondApproval({ correctedAt }: Pick<Payout, "correctedAt">): boolean {
  return correctedAt !== null;
}

/** The earliest time at which a payout with a corrected account may be paid; null if the account was not corrected. */
export function payableFrom({ correctedAt }: Pick<Payout, "correctedAt">): Date | null {
  return correctedAt === null ? null : new Date(correctedAt.getTime() + CORRECTION_WAIT_MS);
}

/** True if the approver has lost the administrator's right since the approval; for a corrected account, if either of the two has. */
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
 * Why an approval does not permit the payment, or null if it does. APPROVAL_LAPSED: an approver has lost the administrator's right since,
 * or an older version approved a corrected account with one administrator. ACCOUNT_JUST_CORRECTED: the wait after the correction is not
 * over.
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
