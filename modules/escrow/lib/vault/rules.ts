import type { RefusalCode } from "../core/outcomes.ts";
import { mayRecordLateHandOver } from "../machine/completion.ts";
import { isUnpaid } from "../machine/decision-helpers.ts";
import type { Party, Trade } from "../machine/trade-types.ts";
import { isHeldForChecking } from "../payment/payment-finding.ts";
import type { VaultRecord } from "./vault-records.ts";

type VaultRefusal = Extract<
  RefusalCode,
  | "CANCELLATION_PENDING"
  | "SELLER_ONLY"
  | "BUYER_ONLY"
  | "NOT_PAID_YET"
  | "VAULT_CLOSED"
  | "VAULT_EMPTY"
  | "VAULT_NOT_OPENED"
  | "TRADE_ON_HOLD"
>;

/**
 * Why a side may not seal now, null when it may: the seller alone, while the money is held and the buyer has not confirmed, and
 * who does not ask to cancel themself. A buyer who confirmed before any hand-over does not close the vault: what was never handed
 * over may still be sealed. Not while the trade is checked: the seller is told to hand nothing over.
 */
export function sealingRefused(trade: Trade, side: Party): VaultRefusal | null {
  if (side !== "seller") return "SELLER_ONLY";
  if (isUnpaid(trade)) return "NOT_PAID_YET";
  const awaited =
    trade.receivedOtherwiseAt !== null && trade.handedOverAt === null && mayRecordLateHandOver(trade);
  if (!awaited && trade.status !== "payment_confirmed") return "VAULT_CLOSED";
  if (!awaited && trade.sellerCancelAt !== null) return "CANCELLATION_PENDING";
  return isHeldForChecking(trade.holds) ? "TRADE_ON_HOLD" : null;
}

/**
 * Why a side may not open the record now, null when it may: the buyer alone, from the held money to the trade's end; for the first time
 * not while the payment is checked, or the goods would be gone whose money is not there.
 */
export function openingRefused(
  trade: Trade,
  side: Party,
  record: VaultRecord | undefined,
): VaultRefusal | null {
  const refused = readingRefused(trade, side, record);
  if (refused !== null) return refused;
  return record?.openedAt == null && isHeldForChecking(trade.holds) ? "TRADE_ON_HOLD" : null;
}

function readingRefused(trade: Trade, side: Party, record: VaultRecord | undefined): VaultRefusal | null {
  if (side !== "buyer") return "BUYER_ONLY";
  if (isUnpaid(trade)) return "NOT_PAID_YET";
  if (trade.endedAt !== null) return "VAULT_CLOSED";
  return record === undefined ? "VAULT_EMPTY" : null;
}

/** Why a side may tick nothing now, null when it may: the buyer alone, once the record was opened. */
export function checkingRefused(
  trade: Trade,
  side: Party,
  record: VaultRecord | undefined,
): VaultRefusal | null {
  const refused = readingRefused(trade, side, record);
  if (refused !== null) return refused;
  return record?.openedAt == null ? "VAULT_NOT_OPENED" : null;
}

/** All three of the checklist are done. */
export function allChecked(record: VaultRecord): boolean {
  return record.passwordAt !== null && record.secondFactorAt !== null && record.recoveryAt !== null;
}
