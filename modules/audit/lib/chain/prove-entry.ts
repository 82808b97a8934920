import { sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { lineColumns, storedEntries } from "../entries/stored-entries.ts";
import { type ChainHead, findChainHead } from "./chain-head.ts";
import { blockFields, lineDigest } from "./digests.ts";
import { type StoredBlock, storedBlock } from "./stored-blocks.ts";

type Fields = Record<string, string | null>;

/**
 * The proof of some entries of a sealed block: the block's own line, those entries, and the digests of all its lines in order, which reveal
 * nothing about the other entries. `lines` is null for a block of form 1, whose entries only the whole log can prove.
 */
export type ProvedBlock = Pick<StoredBlock, "n" | "form" | "previous" | "digest" | "head"> & {
  own: Fields;
  entries: Fields[];
  lines: string[] | null;
};

/** `waiting` contains entries that are not sealed yet. */
export type EntryProof = { head: ChainHead | null; blocks: ProvedBlock[]; waiting: Fields[] };

/** Selects the entries to prove: those of the room since `after`, and those of the subjects; without the actions in `except`. */
export type ProofRequest = {
  roomId: number;
  after: Date | null;
  subjects: ReadonlyArray<{ kind: string; id: string | number }>;
  except: readonly string[];
};

/**
 * Returns the entries of a room and of some subjects, with the proof that each was sealed in its block. Does not check who reads: its
 * callers do, and record it.
 */
export async function proveEntries(exec: Executor, asked: ProofRequest): Promise<EntryProof> {
  const found = await findEntries(exec, asked);
  const waiting = found.filter(({ block }) => block === null).map(({ fields }) => fields);
  const numbers = [...new Set(found.flatMap(({ block }) => block ?? []))].sort((a, b) => a - b);
  const blocks: ProvedBlock[] = [];
  for (const n of numbers) {
    const own = found.filter(({ block }) => block === n).map(({ fields }) => fields);
    blocks.push(await provedBlock(exec, n, own));
  }
  return { head: await findChainHead(exec), blocks, waiting };
}

type FoundEntry = { block: number | null; fields: Fields };

async function findEntries(
  exec: Executor,
  { roomId, after, subjects, except }: ProofRequest,
): Promise<FoundEntry[]> {
  const named = JSON.stringify(subjects.map(({ kind, id }) => ({ kind, id: String(id) })));
  // Two queries joined by UNION, each with its own index; a single OR would read the whole log.
  const rows = await exec.execute<Fields & { block: string | null }>(sql`
    SELECT ${lineColumns}, (
      SELECT b.n FROM audit.blocks b WHERE (b.to_era, b.to_xid) > (e.era, e.xid)
      ORDER BY b.to_era, b.to_xid LIMIT 1)::text AS block
    FROM audit.entries e
    WHERE (e.id, e.at) IN (
      SELECT id, at FROM audit.entries WHERE room_id = ${roomId}::bigint AND at > ${after?.toISOString() ?? "-infinity"}::timestamptz
      UNION
      SELECT o.id, o.at FROM jsonb_to_recordset(${named}::jsonb) AS s(kind text, id text)
      JOIN audit.entries o ON o.subject_kind = s.kind AND o.subject_id = s.id
        AND o.subject_kind IN ('transaction', 'payout', 'refund'))
      AND e.action <> ALL (SELECT jsonb_array_elements_text(${JSON.stringify(except)}::jsonb))
    ORDER BY e.era, e.xid, e.id`);
  return [...rows].map(({ block, ...fields }) => ({ block: block == null ? null : Number(block), fields }));
}

async function provedBlock(exec: Executor, n: number, entries: Fields[]): Promise<ProvedBlock> {
  const block = await storedBlock(exec, n);
  const { form, previous, digest, head: after, from, to } = block;
  const proved = { n, form, previous, digest, head: after, own: blockFields(block), entries };
  if (form === 1) return { ...proved, lines: null };
  const lines: string[] = [];
  for await (const entry of storedEntries(exec, from, to)) {
    lines.push(entry.sealed === null ? entry.line : lineDigest(entry.sealed));
  }
  return { ...proved, lines };
}
