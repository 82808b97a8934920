import { and, asc, eq, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { type VaultRow, vaultsTable } from "./schema.ts";

/** A record without its ciphertext, so that code that only reads its state never has it. */
export type VaultRecord = Omit<VaultRow, "body">;

const { id, tradeId, version, clientId, sealedBy, sealedAt, openedAt, openedCount } = vaultsTable;
const { passwordAt, secondFactorAt, recoveryAt, remindedAt, destroyedAt } = vaultsTable;
const recordColumns = {
  ...{ id, tradeId, version, clientId, sealedBy, sealedAt, openedAt, openedCount },
  ...{ passwordAt, secondFactorAt, recoveryAt, remindedAt, destroyedAt },
};

/** Every record of a trade, the first one first; the last one is current. */
export function recordsOf(exec: Executor, trade: { id: number }): Promise<VaultRecord[]> {
  return exec
    .select(recordColumns)
    .from(vaultsTable)
    .where(eq(vaultsTable.tradeId, trade.id))
    .orderBy(asc(vaultsTable.version));
}

/**
 * Destroys what a trade's vault still holds: the ciphertext and, by the table's own trigger, the key it was encrypted with. Only the times
 * stay. Returns what was destroyed. The caller holds the trade's lock.
 */
export async function shredVault(
  tx: Tx,
  trade: { id: number },
  at: Date,
): Promise<{ version: number } | undefined> {
  const [gone] = await tx
    .update(vaultsTable)
    .set({ body: null, destroyedAt: at })
    .where(and(eq(vaultsTable.tradeId, trade.id), isNull(vaultsTable.destroyedAt)))
    .returning({ version: vaultsTable.version });
  return gone;
}
