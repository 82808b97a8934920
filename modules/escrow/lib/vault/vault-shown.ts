import type { Tx } from "#db/client";
import { refuseAction, type TradeRefusal } from "../core/outcomes.ts";
import type { Trade } from "../machine/trade-types.ts";
import { recordsOf, type VaultRecord } from "./vault-records.ts";
import { vaultRevision } from "./view.ts";

/** Whether the contents may be paid for, or given back, by somebody who names no state of the vault. */
type UnnamedVaultRule = (records: readonly VaultRecord[]) => boolean;

/** The buyer has opened nothing. */
const neverOpened: UnnamedVaultRule = (records) => records.every(({ openedAt }) => openedAt === null);

/** There is nothing in the vault that the buyer has not opened. */
const lastContentsOpened: UnnamedVaultRule = (records) => records.at(-1)?.openedAt !== null;

/**
 * VAULT_CHANGED if the vault is no longer in the state that a decision about the trade's money was shown (`VaultView.revision`); null if it
 * is. For a decision that names none, `mayBeUnnamed` says whether it may still be made; by default only while the buyer has opened nothing. The caller holds the trade's lock, under which the vault cannot change.
 */
export async function vaultRefusal(
  tx: Tx,
  trade: Trade,
  shown: string | undefined,
  mayBeUnnamed = neverOpened,
): Promise<TradeRefusal<"VAULT_CHANGED"> | null> {
  const records = await recordsOf(tx, trade);
  const isCurrent = shown === undefined ? mayBeUnnamed(records) : shown === vaultRevision(records);
  return isCurrent ? null : refuseAction("VAULT_CHANGED", trade);
}

/**
 * The same for a decision that pays the seller: one that names no state knows only of contents that the buyer has opened. Once the buyer
 * has confirmed, nothing is compared.
 */
export async function vaultRefusalToPay(
  tx: Tx,
  trade: Trade,
  shown: string | undefined,
): Promise<TradeRefusal<"VAULT_CHANGED"> | null> {
  return trade.buyerCompletedAt === null ? vaultRefusal(tx, trade, shown, lastContentsOpened) : null;
}
