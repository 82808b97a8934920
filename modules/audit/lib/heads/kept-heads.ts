import { desc, eq, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { headsTable } from "../core/schema.ts";

/** A head of the chain that a verification has seen or, with `sentTo`, that was sent outside the machine. */
export type KeptHead = { at: Date; block: number; head: string; sentTo: string | null };

/** Stores a head permanently: the chain must contain it from then on. */
export async function keepHead(tx: Tx, kept: KeptHead): Promise<void> {
  await tx.insert(headsTable).values(kept);
}

/** The newest head that was sent to a place; undefined before the first. */
export async function lastSentHead(exec: Executor, place: string): Promise<KeptHead | undefined> {
  const [row] = await exec
    .select({ at: headsTable.at, block: headsTable.block, head: headsTable.head, sentTo: headsTable.sentTo })
    .from(headsTable)
    .where(eq(headsTable.sentTo, place))
    .orderBy(desc(headsTable.id))
    .limit(1);
  return row;
}

/**
 * The first stored head that the chain no longer contains, and the times between which the chain was rewritten; undefined if it contains
 * all of them.
 */
export async function findLostHead(exec: Executor): Promise<{ block: number; reason: string } | undefined> {
  const rows = await exec.execute<{
    block: string;
    at: string;
    held: string | null;
    heldAt: string | null;
  }>(sql`
    WITH lost AS (
      SELECT h.block, h.at FROM audit.heads h LEFT JOIN audit.blocks b ON b.n = h.block AND b.head = h.head
      WHERE b.n IS NULL ORDER BY h.block, h.at LIMIT 1
    )
    SELECT lost.block::text, base.moment_text(lost.at) AS at, held.block::text AS held, base.moment_text(held.at) AS "heldAt"
    FROM lost LEFT JOIN LATERAL (
      SELECT h.block, h.at FROM audit.heads h JOIN audit.blocks b ON b.n = h.block AND b.head = h.head
      WHERE h.block <= lost.block ORDER BY h.block DESC, h.at DESC LIMIT 1
    ) held ON true`);
  const [lost] = rows;
  if (lost === undefined) return undefined;
  const held =
    lost.held === null ? "" : `; it still contains that of block ${lost.held}, stored ${lost.heldAt}`;
  const reason = `the chain was rewritten: it no longer contains the head of block ${lost.block} that was stored ${lost.at}${held}`;
  return { block: Number(lost.block), reason };
}
