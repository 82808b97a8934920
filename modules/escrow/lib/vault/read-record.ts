import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { log } from "#db/log";
import { unsealRecord, type VaultValues } from "./cipher.ts";
import { vaultKeysTable, vaultsTable } from "./schema.ts";
import type { VaultRecord } from "./vault-records.ts";

/** What is sealed in a record; undefined when it cannot be read: changed, its key gone, or sealed under another of ours. */
export async function readRecord(tx: Tx, record: VaultRecord): Promise<VaultValues | undefined> {
  const [row] = await tx
    .select({ body: vaultsTable.body, key: vaultKeysTable.key })
    .from(vaultsTable)
    .innerJoin(vaultKeysTable, eq(vaultKeysTable.vaultId, vaultsTable.id))
    .where(eq(vaultsTable.id, record.id));
  try {
    if (row === undefined || row.body === null) throw new Error("its key is gone");
    return unsealRecord({ body: row.body, key: row.key }, record);
  } catch (error) {
    // The reason's name alone: a parser's message would quote what it could not read.
    const reason = error instanceof Error ? error.name : "unknown";
    log().error({ vault: record.id, reason }, "escrow: a sealed hand-over cannot be read");
    return undefined;
  }
}
