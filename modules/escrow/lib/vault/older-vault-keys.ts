import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { classifyVaultKey } from "./cipher.ts";
import { vaultKeysTable, vaultsTable } from "./schema.ts";

/** How many sealed hand-overs a key of before opens, and the trades whose hand-over no key at hand opens. */
export type OlderVaultKeys = { older: number; shut: number[] };

/**
 * The sealed hand-overs that lie under a key of ours that is no more in use, or under one that is not at hand. A vault's key is never
 * written again, so they stay until their trades end, and the older key with them.
 */
export async function countOlderVaultKeys(): Promise<OlderVaultKeys> {
  const rows = await db()
    .select({ id: vaultsTable.id, tradeId: vaultsTable.tradeId, key: vaultKeysTable.key })
    .from(vaultsTable)
    .innerJoin(vaultKeysTable, eq(vaultKeysTable.vaultId, vaultsTable.id));
  const found: OlderVaultKeys = { older: 0, shut: [] };
  for (const { key, ...record } of rows) {
    const under = classifyVaultKey(key, record);
    if (under === "older") found.older += 1;
    if (under === "shut") found.shut.push(record.tradeId);
  }
  return found;
}
