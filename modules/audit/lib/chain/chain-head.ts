import { desc } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { blocks } from "../core/schema.ts";

export type Block = { block: number; head: string; entries: number; sealedAt: Date };

/** The chain's newest block: what is shown, exported and later given to `verify` as an anchor. Null before the first. */
export async function head(exec: Executor = db()): Promise<Block | null> {
  const [last] = await exec
    .select({ block: blocks.n, head: blocks.head, entries: blocks.entries, sealedAt: blocks.sealedAt })
    .from(blocks)
    .orderBy(desc(blocks.n))
    .limit(1);
  return last ?? null;
}
