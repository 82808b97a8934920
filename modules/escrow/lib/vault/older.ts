import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { underOlderKey } from "./cipher.ts";
import { vaultKeys, vaults } from "./schema.ts";

/**
 * How many sealed hand-overs lie under a key of ours that is no more in use. A vault's key is never written again, so they stay
 * until their trades end, and the older key with them.
 */
export async function vaultsUnderOlderKeys(): Promise<number> {
  const rows = await db()
    .select({ id: vaults.id, tradeId: vaults.tradeId, key: vaultKeys.key })
    .from(vaults)
    .innerJoin(vaultKeys, eq(vaultKeys.vaultId, vaults.id));
  return rows.filter(({ key, ...record }) => underOlderKey(key, record)).length;
}
