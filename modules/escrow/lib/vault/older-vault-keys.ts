import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { classifyVaultKey } from "./cipher.ts";
import { vaultKeysTable, vaultsTable } from "./schema.ts";

/** How many vault records an earlier key opens, and the trades whose record no available key opens. */
export type OlderVaultKeys = { older: number; unopened: number[] };

/**
 * Counts the vault records whose key is encrypted under one of Midman's earlier keys, or under one that is not available. A record's key is
 * never encrypted again, so these records stay until their trades end, and the earlier key must stay with them.
 */
export async function countOlderVaultKeys(): Promise<OlderVaultKeys> {
  const rows = await db()
    .select({ id: vaultsTable.id, tradeId: vaultsTable.tradeId, key: vaultKeysTable.key })
    .from(vaultsTable)
    .innerJoin(vaultKeysTable, eq(vaultKeysTable.vaultId, vaultsTable.id));
  const found: OlderVaultKeys = { older: 0, unopened: [] };
  for (const { key, ...record } of rows) {
    const under = classifyVaultKey(key, record);
    if (under === "older") found.older += 1;
    if (under === "shut") found.unopened.push(record.tradeId);
  }
  return found;
}
