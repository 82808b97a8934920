import { type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Place } from "./digest.ts";

/** An entry just as it lies in the database, every column as text, and what is left of its trace. */
export type Stored = {
  sealed: Record<string, string | null> & {
    id: string;
    xid: string;
    recordedAt: string;
    trace: string | null;
  };
  era: number;
  scrubbable: { key: string; ip: string | null; device: string | null } | null;
};

type Row = Record<string, string | null> & {
  id: string;
  era: string;
  xid: string;
  recordedAt: string;
  trace: string | null;
};

const BATCH = 2000;

/** The spelling of a moment in lines; sorts as text in the order of time. */
export function spell(column: SQL): SQL {
  return sql`to_char((${column}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** The columns of an entry `e` that its line is made of. */
export const lineColumns = sql`e.id::text, e.era::text, e.xid::text, ${spell(sql`e.recorded_at`)} AS "recordedAt",
  ${spell(sql`e.at`)} AS "at", e.user_id::text AS "userId", e.action, e.room_id::text AS "roomId",
  e.subject_kind AS "subjectKind", e.subject_id AS "subjectId", e.data::text, e.trace`;

/** Reads entries from a place on, in the order of sealing, a batch at a time; up to `to` when it is given. */
export async function* storedEntries(exec: Executor, from: Place, to?: Place): AsyncGenerator<Stored> {
  let after = { ...from, id: "-1" };
  for (;;) {
    const rows = await exec.execute<Row>(sql`
      SELECT ${lineColumns}, encode(t.key, 'hex') AS "traceKey", t.ip AS "traceIp", t.device AS "traceDevice"
      FROM audit.entries e LEFT JOIN audit.traces t ON t.entry_id = e.id
      WHERE (e.era, e.xid, e.id) > (${after.era}::integer, ${after.xid}::xid8, ${after.id}::bigint)
        ${to === undefined ? sql`` : sql`AND (e.era, e.xid) < (${to.era}::integer, ${to.xid}::xid8)`}
      ORDER BY e.era, e.xid, e.id LIMIT ${BATCH}`);
    for (const row of rows) yield asStored(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = { era: Number(last.era), xid: last.xid, id: last.id };
  }
}

function asStored({ traceKey, traceIp, traceDevice, ...sealed }: Row): Stored {
  const scrubbable =
    typeof traceKey === "string" ? { key: traceKey, ip: traceIp ?? null, device: traceDevice ?? null } : null;
  return { sealed, era: Number(sealed.era), scrubbable };
}
