import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";

/** The lock's key, "midm audi" as two numbers: all code in one database shares the advisory locks. */
const CHAIN = sql`${0x6d69_646d}::integer, ${0x6175_6469}::integer`;

/** Locks the chain until the transaction ends. With "try" returns false at once if another instance has the lock. */
export async function lockChain(tx: Tx, how: "try" | "wait"): Promise<boolean> {
  if (how === "wait") {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${CHAIN})`);
    return true;
  }
  const [row] = await tx.execute<{ held: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${CHAIN}) AS held`);
  return row?.held === true;
}
