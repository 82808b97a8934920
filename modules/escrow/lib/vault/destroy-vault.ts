import type { Tx } from "#db/client";
import { type ChangeContext, recordChange } from "../core/carry-out-effects.ts";
import type { Trade } from "../machine/trade-types.ts";
import { shredVault } from "./vault-records.ts";

/**
 * Destroys what a trade's vault holds, in the transaction that ends the trade in any way, and logs it. The database refuses to commit an
 * ended trade whose vault could still be opened.
 */
export async function destroyVault(tx: Tx, trade: Trade, changeContext: ChangeContext): Promise<void> {
  const gone = await shredVault(tx, trade, changeContext.at);
  if (gone !== undefined) await recordChange(tx, trade, changeContext, "vault_destroyed", gone);
}
