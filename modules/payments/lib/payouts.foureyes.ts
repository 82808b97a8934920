import { config } from "#config";

/** True when a sum, in tugrik, is so large that its approver and its sender must be two people (design §6). */
export function needsFourEyes(amount: number): boolean {
  const above = config().PAYOUT_FOUR_EYES_ABOVE;
  return above !== undefined && amount > above;
}
