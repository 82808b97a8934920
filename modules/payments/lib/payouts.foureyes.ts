import { config } from "#config";
import type { Person } from "./payouts.ts";

/** True when a sum, in tugrik, is so large that its approver and its sender must be two people (design §6). */
export function needsFourEyes(amount: number): boolean {
  const above = config().PAYOUT_FOUR_EYES_ABOVE;
  return above !== undefined && amount > above;
}

export type SameEyes = "FOUR_EYES_REQUIRED" | "FOUR_EYES_RELATED";

/** Why a person is no second pair of eyes to what another did; null where they are. */
export function notAnother(other: number, by: Person): SameEyes | null {
  if (other === by.userId) return "FOUR_EYES_REQUIRED";
  return by.hands.includes(other) ? "FOUR_EYES_RELATED" : null;
}
