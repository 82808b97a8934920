import { runInSnapshot, type Tx } from "#db/client";
import { traceHash } from "../core/address-trace.ts";
import { makePeekable, type Peekable } from "../entries/peekable-source.ts";
import { type KeptEntry, type StoredEntry, storedEntries } from "../entries/stored-entries.ts";
import { readScrubbings, type ScrubbingTracker } from "../erasure/read-scrubbings.ts";
import { type ErasureTracker, trackErasures } from "../erasure/track-erasures.ts";
import { findLostHead } from "../heads/kept-heads.ts";
import { checkSealedRecords } from "../records/check-records.ts";
import { blockDigest, type ChainPosition, genesisHead, headAfter, positionBefore } from "./digests.ts";
import { type StoredBlock, storedBlocks } from "./stored-blocks.ts";

export type VerifiedChain =
  /** `records`: the number of messages, journals, transactions and other records that match their digests. */
  | { ok: true; blocks: number; rows: number; unsealed: number; records: number; head: string }
  /** `chain`: true if the chain itself is broken; false if it is intact but a record does not match its entries. */
  | { ok: false; code: "AUDIT_BROKEN"; block: number; reason: string; chain: boolean };

export type VerifyOptions = {
  /** A head exported earlier, which the chain must still contain. Detects a chain that was cut short and extended again. */
  anchor?: { block: number; head: string };
  /** How long an entry may wait for its block while Midman runs, in seconds (900). */
  staleAfterSeconds?: number;
  /** A time at which Midman certainly runs, such as now when it verifies itself; by default the time of its newest entry. */
  runningAt?: Date;
};

/**
 * Recomputes the whole log from its entries and compares it with the chain, in one snapshot and in batches. Detects any change, addition or
 * removal of sealed entries, traces and blocks, whoever made it; entries that should have been sealed by now; a chain that was rewritten as
 * a whole, by comparing it with the kept heads; and records that do not match their entries. Names the first broken block or, if all are
 * intact, the last block and the difference.
 */
export async function verifyChain(options: VerifyOptions = {}): Promise<VerifiedChain> {
  return runInSnapshot((tx) => verifyChainWithin(tx, options));
}

/** The same inside an open transaction. */
export async function verifyChainWithin(tx: Tx, options: VerifyOptions = {}): Promise<VerifiedChain> {
  const { anchor } = options;
  const entries = makePeekable(storedEntries(tx, { era: 0, xid: "0" }));
  let previous = { n: 0, head: genesisHead, to: { era: 0, xid: "0" } as ChainPosition };
  let rows = 0;
  let anchored = anchor === undefined;
  const gone: ErasureTrackers = {
    erasings: trackErasures(),
    scrubbings: await readScrubbings(tx, options.runningAt),
  };
  for await (const block of storedBlocks(tx)) {
    const reason = findPlacementFault(block, previous) ?? (await findContentFault(block, entries, gone));
    if (reason !== undefined) return brokenChain(previous.n + 1, reason);
    rows += block.entries;
    previous = block;
    anchored ||= block.n === anchor?.block && block.head === anchor.head;
  }
  if (!anchored) return brokenChain(anchor?.block ?? 0, "the chain no longer contains the exported head");
  const lost = await findLostHead(tx);
  if (lost !== undefined) return brokenChain(lost.block, lost.reason);
  const rest = await checkUnsealedEntries(entries, options, gone);
  const reason = rest.reason ?? gone.erasings.unexplained();
  if (reason !== undefined) return brokenChain(previous.n + 1, reason);
  const records = await checkSealedRecords(tx);
  if (records.reason !== undefined) return { ...brokenChain(previous.n, records.reason), chain: false };
  return {
    ok: true,
    blocks: previous.n,
    rows,
    unsealed: rest.count,
    records: records.proved,
    head: previous.head,
  };
}

/** Trackers that explain missing entries and traces. */
type ErasureTrackers = { erasings: ErasureTracker; scrubbings: ScrubbingTracker };

/** Why a block does not follow the one before it; undefined if it does. */
function findPlacementFault(
  block: StoredBlock,
  previous: { n: number; head: string; to: ChainPosition },
): string | undefined {
  if (block.n !== previous.n + 1) return `block ${previous.n + 1} is missing`;
  if (block.previous !== previous.head) return "does not follow the head of the previous block";
  if (block.from.era !== previous.to.era || block.from.xid !== previous.to.xid) {
    return "does not begin where the previous block ended";
  }
  if (block.head !== headAfter(block.previous, block.digest)) return "its head does not match its digest";
  return undefined;
}

/** Why a block's entries are not those that were sealed in it; undefined if they are. */
async function findContentFault(
  block: StoredBlock,
  entries: Peekable<StoredEntry>,
  gone: ErasureTrackers,
): Promise<string | undefined> {
  const digest = blockDigest(block);
  let [count, first, last] = [0, Number.POSITIVE_INFINITY, 0];
  for (;;) {
    const entry = await entries.peek();
    if (entry === undefined || !positionBefore(entry.place, block.to)) break;
    await entries.next();
    const { id } = entry.place;
    if (entry.sealed === null) {
      gone.erasings.met(entry, block.sealedAt);
      digest.addLine(entry.line);
    } else {
      const reason = findEntryFault(entry, gone);
      if (reason !== undefined) return reason;
      digest.add(entry.sealed);
    }
    count += 1;
    first = Math.min(first, Number(id));
    last = Math.max(last, Number(id));
  }
  if (count !== block.entries) return `${block.entries} entries were sealed, ${count} are there`;
  if (first !== block.firstId || last !== block.lastId || digest.hex() !== block.digest) {
    return `an entry among ${block.firstId} to ${block.lastId}, or the block itself, was altered`;
  }
  return undefined;
}

/** Counts the entries that are in no block yet; a reason if some of them wait although Midman ran long enough to seal them. */
async function checkUnsealedEntries(
  entries: Peekable<StoredEntry>,
  { runningAt, staleAfterSeconds = 900 }: VerifyOptions,
  gone: ErasureTrackers,
) {
  let [count, oldest, newest] = [0, Number.POSITIVE_INFINITY, runningAt?.getTime() ?? 0];
  for (let entry = await entries.next(); entry !== undefined; entry = await entries.next()) {
    const { id } = entry.place;
    if (entry.sealed === null) return { count, reason: `entry ${id} was erased before it was sealed` };
    const reason = findEntryFault(entry, gone);
    if (reason !== undefined) return { count, reason };
    const recorded = Date.parse(entry.sealed.recordedAt);
    oldest = Math.min(oldest, recorded);
    newest = Math.max(newest, recorded);
    count += 1;
  }
  const late = newest - oldest > staleAfterSeconds * 1000;
  return late
    ? { count, reason: `entries since ${new Date(oldest).toISOString()} were never sealed` }
    : { count };
}

/**
 * Why an entry is faulty; undefined if it is not. A trace that exists must match its hash; a missing one must have been scrubbed. Also
 * checks entries that record an erasure or a scrubbing.
 */
function findEntryFault(
  { sealed, scrubbable }: KeptEntry,
  { erasings: erased, scrubbings }: ErasureTrackers,
): string | undefined {
  if (scrubbable === null) {
    if (sealed.trace !== null && !scrubbings.explain(sealed)) {
      return `the trace of entry ${sealed.id} is gone, and no entry records its erasure`;
    }
  } else if (traceHash(Buffer.from(scrubbable.key, "hex"), scrubbable) !== sealed.trace) {
    return `the trace of entry ${sealed.id} was altered`;
  }
  return erased.recorded(sealed) ?? scrubbings.recorded(sealed);
}

function brokenChain(block: number, reason: string): VerifiedChain & { ok: false } {
  return { ok: false, code: "AUDIT_BROKEN", block, reason, chain: true };
}
