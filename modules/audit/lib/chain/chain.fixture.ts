import { sql } from "drizzle-orm";
import { ownerDatabase } from "../../../../tests/support/database/test-database.ts";
import { sealBlocks, verifyChain } from "../../index.ts";

/**
 * Seals all entries; returns their number. Repeats, because sealing waits for the end of any open transaction, for example of autovacuum.
 */
export async function sealAll(at: Date): Promise<number> {
  for (let sealed = 0, round = 0; round < 200; round++) {
    sealed += (await sealBlocks(at)).sealed;
    const state = await verifyChain();
    if (!state.ok || state.unsealed === 0) return sealed;
    await Bun.sleep(20);
  }
  throw new Error("some entries were never sealed");
}

/** Runs statements with the database owner's rights and without triggers, as only an attacker with full rights could. */
export async function meddle(...statements: string[]): Promise<void> {
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}
