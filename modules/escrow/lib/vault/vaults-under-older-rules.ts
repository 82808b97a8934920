import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { keyOver } from "./cipher.ts";
import { vaultKeys, vaults } from "./schema.ts";

/** How many sealed hand-overs a key of before opens, and the trades whose hand-over no key at hand opens. */
export type NotUnderToday = { older: number; shut: number[] };

/**
 * The sealed hand-overs that lie under a key of ours that is no more in use, or under one that is not at hand. A vault's key is never
 * written again, so they stay until their trades end, and the older key with them.
 */
export async function vaultsNotUnderToday(): Promise<NotUnderToday> {
  const rows = await db()
    .select({ id: vaults.id, tradeId: vaults.tradeId, key: vaultKeys.key })
    .from(vaults)
    .innerJoin(vaultKeys, eq(vaultKeys.vaultId, vaults.id));
  const found: NotUnderToday = { older: 0, shut: [] };
  for (const { key, ...record } of rows) {
    const under = keyOver(key, record);
    if (under === "older") found.older += 1;
    if (under === "shut") found.shut.push(record.tradeId);
  }
  return found;
}
