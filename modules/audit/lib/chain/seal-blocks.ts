import { desc } from "drizzle-orm";
import { config } from "#config";
import { afterCommit, db, runInTransaction, type Tx } from "#db/client";
import { lockChain } from "../core/lock-chain.ts";
import { oldestRunning } from "../core/oldest-transaction.ts";
import { blocksTable } from "../core/schema.ts";
import { type KeptEntry, storedEntries } from "../entries/stored-entries.ts";
import { streamBlock } from "../entries/stream-block.ts";
import {
  type BlockLine,
  blockDigest,
  type ChainPosition,
  genesisHead,
  headAfter,
  positionBefore,
  spellMoment,
} from "./digests.ts";

/**
 * Seals every finished entry that is in no block yet into one new block. Returns the number of sealed entries. Entries of the oldest
 * running transaction and of all younger ones wait, so that a late commit finds its block still open. One instance at a time: while another
 * seals, this returns 0.
 */
export async function sealBlocks(now: Date): Promise<{ sealed: number }> {
  return runInTransaction(async (tx) => {
    if (!(await lockChain(tx, "try"))) return { sealed: 0 };
    const last = await lastBlock(tx);
    const from = last?.to ?? { era: 0, xid: "0" };
    const to = await oldestRunning(tx);
    if (!positionBefore(from, to)) return { sealed: 0 };
    const block = { n: (last?.n ?? 0) + 1, from, to, sealedAt: spellMoment(now), form: 2 as const };
    const content = await digestEntries(tx, block);
    if (content.count === 0) return { sealed: 0 };
    const previous = last?.head ?? genesisHead;
    const head = headAfter(previous, content.digest);
    await tx.insert(blocksTable).values({
      n: block.n,
      previous,
      digest: content.digest,
      head,
      fromEra: from.era,
      fromXid: from.xid,
      toEra: to.era,
      toXid: to.xid,
      firstId: content.first,
      lastId: content.last,
      entries: content.count,
      sealedAt: now,
      form: block.form,
    });
    if (config().AUDIT_LOG)
      afterCommit(tx, () => streamBlock({ block: block.n, head, entries: sealedEntries(from, to) }));
    return { sealed: content.count };
  });
}

async function digestEntries(tx: Tx, block: BlockLine) {
  const digest = blockDigest(block);
  let [count, first, last] = [0, Number.POSITIVE_INFINITY, 0];
  for await (const { sealed, place } of storedEntries(tx, block.from, block.to)) {
    // An entry is never erased before it is sealed.
    if (sealed === null) throw new Error(`audit: entry ${place.id} was erased before it was sealed`);
    digest.add(sealed);
    count += 1;
    first = Math.min(first, Number(place.id));
    last = Math.max(last, Number(place.id));
  }
  return { digest: digest.hex(), count, first, last };
}

/** The entries of a sealed block, read again in batches: a block after a long outage or an import may not fit in memory. */
async function* sealedEntries(from: ChainPosition, to: ChainPosition): AsyncGenerator<KeptEntry["sealed"]> {
  for await (const { sealed } of storedEntries(db(), from, to)) if (sealed !== null) yield sealed;
}

async function lastBlock(tx: Tx) {
  const [block] = await tx.select().from(blocksTable).orderBy(desc(blocksTable.n)).limit(1);
  return block && { n: block.n, head: block.head, to: { era: block.toEra, xid: block.toXid } };
}
