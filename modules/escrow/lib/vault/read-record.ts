import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { log } from "#db/log";
import { unsealRecord, type VaultValues } from "./cipher.ts";
import { vaultKeysTable, vaultsTable } from "./schema.ts";
import type { VaultRecord } from "./vault-records.ts";

/** The values of a record. Undefined if it cannot be read: it was changed, its key is gone, or another of Midman's keys encrypts it. */
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
    // Only the error's name: a parser's message would quote what it could not read.
    const reason = error instanceof Error ? error.name : "unknown";
    log().error({ vault: record.id, reason }, "escrow: a vault record cannot be read");
    return undefined;
  }
}
