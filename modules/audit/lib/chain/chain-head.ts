import { desc } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { blocksTable } from "../core/schema.ts";

export type ChainHead = { block: number; head: string; entries: number; sealedAt: Date };

/** The chain's newest block: its head is shown, exported and later passed to `verify` as an anchor. Null before the first block. */
export async function findChainHead(exec: Executor = db()): Promise<ChainHead | null> {
  const [last] = await exec
    .select({
      block: blocksTable.n,
      head: blocksTable.head,
      entries: blocksTable.entries,
      sealedAt: blocksTable.sealedAt,
    })
    .from(blocksTable)
    .orderBy(desc(blocksTable.n))
    .limit(1);
  return last ?? null;
}
