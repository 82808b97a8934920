import { type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { ChainPosition } from "../chain/digests.ts";

/**
 * An entry as it is stored, every column as text, with its trace if that still exists; or, once it is erased, the digest of its line and
 * the batch that erased it.
 */
export type StoredEntry = KeptEntry | ErasedEntry;
export type KeptEntry = {
  place: ChainPosition & { id: string };
  sealed: Record<string, string | null> & {
    id: string;
    xid: string;
    recordedAt: string;
    trace: string | null;
  };
  scrubbable: { key: string; ip: string | null; device: string | null } | null;
};
export type ErasedEntry = {
  place: ChainPosition & { id: string };
  sealed: null;
  line: string;
  batch: string;
};

type Row = Record<string, string | null> & Record<"placeId" | "placeEra" | "placeXid", string>;

const BATCH = 2000;

/** SQL that writes a timestamp as an entry's sealed line does (UTC, microseconds). These texts sort like the times. */
export function spellColumn(column: SQL): SQL {
  return sql`to_char((${column}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** The columns of an entry `e` that make up its line. */
export const lineColumns = sql`e.id::text, e.era::text, e.xid::text, ${spellColumn(sql`e.recorded_at`)} AS "recordedAt",
  ${spellColumn(sql`e.at`)} AS "at", e.user_id::text AS "userId", e.action, e.room_id::text AS "roomId",
  e.subject_kind AS "subjectKind", e.subject_id AS "subjectId", e.data::text, e.trace`;

/** After every possible position. */
const endPosition: ChainPosition = { era: 2 ** 31 - 1, xid: "18446744073709551615" };

/** Reads entries from a position on, in the order of sealing and in batches; up to `to` (excluded) if it is given. */
export async function* storedEntries(
  exec: Executor,
  from: ChainPosition,
  to = endPosition,
): AsyncGenerator<StoredEntry> {
  let after = { ...from, id: "-1" };
  for (;;) {
    // One statement, so that an entry that is being erased is read once, either as kept or as erased.
    const rows = await exec.execute<Row>(sql`
      SELECT p.id::text AS "placeId", p.era::text AS "placeEra", p.xid::text AS "placeXid", ${lineColumns},
        encode(t.key, 'hex') AS "traceKey", t.ip AS "traceIp", t.device AS "traceDevice",
        g.line AS "erasedLine", g.batch::text AS "erasedBatch"
      FROM audit.entries_after(${after.era}, ${after.xid}::xid8, ${after.id}, ${to.era}, ${to.xid}::xid8, ${BATCH}) p
      CROSS JOIN LATERAL (SELECT (p.entry).*) e
      LEFT JOIN audit.traces t ON t.entry_id = p.id LEFT JOIN audit.erased g ON g.id = p.id
      ORDER BY p.era, p.xid, p.id`);
    for (const row of rows) yield asStored(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = placeOf(last);
  }
}

function asStored(row: Row): StoredEntry {
  const { placeId, placeEra, placeXid, traceKey, traceIp, traceDevice, erasedLine, erasedBatch, ...sealed } =
    row;
  if (typeof erasedLine === "string") {
    return { place: placeOf(row), sealed: null, line: erasedLine, batch: erasedBatch ?? "" };
  }
  const scrubbable =
    typeof traceKey === "string" ? { key: traceKey, ip: traceIp ?? null, device: traceDevice ?? null } : null;
  return { place: placeOf(row), sealed: sealed as KeptEntry["sealed"], scrubbable };
}

function placeOf({ placeId, placeEra, placeXid }: Row): KeptEntry["place"] {
  return { id: placeId, era: Number(placeEra), xid: placeXid };
}
