import { mayRecordLateHandOver } from "../machine/completion.ts";
import { isUnpaid } from "../machine/decision-helpers.ts";
import type { Party, Trade } from "../machine/trade-types.ts";
import { isHeldForChecking } from "../payment/payment-finding.ts";
import type { VaultRecord } from "./vault-records.ts";

type SealRefusal = "SELLER_ONLY" | "NOT_PAID_YET" | "VAULT_CLOSED" | "CANCELLATION_PENDING" | "TRADE_ON_HOLD";
type FirstOpeningRefusal = "DISPUTE_OPEN" | "CANCELLATION_PENDING" | "TRADE_ON_HOLD";
type ReadRefusal = "BUYER_ONLY" | "NOT_PAID_YET" | "VAULT_CLOSED" | "VAULT_EMPTY";

/**
 * Why a party may not seal now; null if it may. Only the seller may, while the money is held, the buyer has not confirmed, and the seller
 * has no open request to cancel. A buyer who confirmed before any handover does not close the vault: what was never handed over may still
 * be sealed. Refused while the trade is checked: the seller is asked to hand nothing over.
 */
export function sealingRefused(trade: Trade, side: Party): SealRefusal | null {
  if (side !== "seller") return "SELLER_ONLY";
  if (isUnpaid(trade)) return "NOT_PAID_YET";
  const awaited =
    trade.receivedOtherwiseAt !== null && trade.handedOverAt === null && mayRecordLateHandOver(trade);
  if (!awaited && trade.status !== "payment_confirmed") return "VAULT_CLOSED";
  if (!awaited && trade.sellerCancelAt !== null) return "CANCELLATION_PENDING";
  return isHeldForChecking(trade.holds) ? "TRADE_ON_HOLD" : null;
}

/**
 * Why a party may not open the record now; null if it may. Only the buyer may, from the confirmed payment to the trade's end. The first
 * opening is refused while the payment is checked: otherwise the goods would be gone without their money. It is refused, too, to a buyer
 * who asks for the money back, and while a dispute about it is open: nobody gets both the item and the money. What was opened stays
 * readable.
 */
export function openingRefused(
  trade: Trade,
  side: Party,
  record: VaultRecord | undefined,
): ReadRefusal | FirstOpeningRefusal | null {
  return (
    readingRefused(trade, side, record) ?? (record?.openedAt == null ? firstOpeningRefused(trade) : null)
  );
}

function firstOpeningRefused(trade: Trade): FirstOpeningRefusal | null {
  if (trade.status === "disputed") return "DISPUTE_OPEN";
  if (trade.buyerCancelAt !== null) return "CANCELLATION_PENDING";
  return isHeldForChecking(trade.holds) ? "TRADE_ON_HOLD" : null;
}

function readingRefused(trade: Trade, side: Party, record: VaultRecord | undefined): ReadRefusal | null {
  if (side !== "buyer") return "BUYER_ONLY";
  if (isUnpaid(trade)) return "NOT_PAID_YET";
  if (trade.endedAt !== null) return "VAULT_CLOSED";
  return record === undefined ? "VAULT_EMPTY" : null;
}

/** Why a party may not tick an item now; null if it may. Only the buyer may, once the record was opened. */
export function checkingRefused(
  trade: Trade,
  side: Party,
  record: VaultRecord | undefined,
): ReadRefusal | "VAULT_NOT_OPENED" | null {
  const refused = readingRefused(trade, side, record);
  if (refused !== null) return refused;
  return record?.openedAt == null ? "VAULT_NOT_OPENED" : null;
}

/** True if all three items of the checklist are ticked. */
export function allChecked(record: VaultRecord): boolean {
  return record.passwordAt !== null && record.secondFactorAt !== null && record.recoveryAt !== null;
}
