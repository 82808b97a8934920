import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { keyOver } from "./cipher.ts";
import { vaultKeys, vaults } from "./schema.ts";

/** Sealed hand-overs by the key that opens them, where that is not the one of today; `shut`: no key at hand does. */
export type NotUnderToday = { older: number; shut: number };

/**
 * How many sealed hand-overs lie under a key of ours that is no more in use, or under one that is not at hand. A vault's key is never
 * written again, so they stay until their trades end, and the older key with them.
 */
export async function vaultsNotUnderToday(): Promise<NotUnderToday> {
  const rows = await db()
    .select({ id: vaults.id, tradeId: vaults.tradeId, key: vaultKeys.key })
    .from(vaults)
    .innerJoin(vaultKeys, eq(vaultKeys.vaultId, vaults.id));
  const counts: NotUnderToday = { older: 0, shut: 0 };
  for (const { key, ...record } of rows) {
    const under = keyOver(key, record);
    if (under !== "today") counts[under] += 1;
  }
  return counts;
}
