import { isUnpaid } from "../machine/answers.ts";
import type { Party, Trade } from "../machine/types.ts";
import type { RefusalCode } from "../outcomes.ts";
import type { VaultRecord } from "./records.ts";

type Why = Extract<
  RefusalCode,
  | "CANCELLATION_PENDING"
  | "SELLER_ONLY"
  | "BUYER_ONLY"
  | "NOT_PAID_YET"
  | "VAULT_CLOSED"
  | "VAULT_EMPTY"
  | "VAULT_NOT_OPENED"
>;

/**
 * Why a side may not seal now, null when it may: the seller alone, while the money is held and the buyer has not confirmed, and
 * who does not ask to cancel themself.
 */
export function sealingRefused(trade: Trade, side: Party): Why | null {
  if (side !== "seller") return "SELLER_ONLY";
  if (isUnpaid(trade)) return "NOT_PAID_YET";
  if (trade.status !== "payment_confirmed") return "VAULT_CLOSED";
  return trade.sellerCancelAt === null ? null : "CANCELLATION_PENDING";
}

/** Why a side may not open the record now, null when it may: the buyer alone, from the held money to the trade's end. */
export function openingRefused(trade: Trade, side: Party, record: VaultRecord | undefined): Why | null {
  if (side !== "buyer") return "BUYER_ONLY";
  if (isUnpaid(trade)) return "NOT_PAID_YET";
  if (trade.endedAt !== null) return "VAULT_CLOSED";
  return record === undefined ? "VAULT_EMPTY" : null;
}

/** Why a side may tick nothing now, null when it may: the buyer alone, once the record was opened. */
export function checkingRefused(trade: Trade, side: Party, record: VaultRecord | undefined): Why | null {
  const refused = openingRefused(trade, side, record);
  if (refused !== null) return refused;
  return record?.openedAt == null ? "VAULT_NOT_OPENED" : null;
}

/** All three of the checklist are done. */
export function allChecked(record: VaultRecord): boolean {
  return record.passwordAt !== null && record.secondFactorAt !== null && record.recoveryAt !== null;
}
