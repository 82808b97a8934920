import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/client.ts";
import { waitUntil } from "../wait-until.ts";
import { ownerDatabase } from "./test-database.ts";

/**
 * Begins something while another connection holds what `lock` locks, waits until it stands still there, does something `meanwhile` in
 * that connection's transaction and commits it; answers what came of what had begun.
 */
export async function whileHeld<T>(
  lock: readonly SQL[],
  begin: () => Promise<T>,
  meanwhile: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  const begun = await ownerDatabase().transaction(async (tx) => {
    for (const statement of lock) await tx.execute(statement);
    const result = begin();
    await waitUntil(async () => (await statementsWaiting()) > 0, 10_000);
    await meanwhile(tx as unknown as Tx);
    return { result };
  });
  return begun.result;
}

/** How many statements in the test's database wait for a lock. */
export async function statementsWaiting(): Promise<number> {
  const waits = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await ownerDatabase().execute(waits)).length;
}
