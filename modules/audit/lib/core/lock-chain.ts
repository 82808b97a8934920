import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";

/** "midm audi" as two numbers: advisory locks are shared by everything in one database. */
const CHAIN = sql`${0x6d69_646d}::integer, ${0x6175_6469}::integer`;

/** Holds the chain until the transaction ends. With "try", false at once when another instance holds it. */
export async function lockChain(tx: Tx, how: "try" | "wait"): Promise<boolean> {
  if (how === "wait") {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${CHAIN})`);
    return true;
  }
  const [row] = await tx.execute<{ held: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${CHAIN}) AS held`);
  return row?.held === true;
}
