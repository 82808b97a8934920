import { sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { spellColumn } from "../entries/stored-entries.ts";
import type { ChainPosition } from "./digests.ts";

/** A block as it is stored. */
export type StoredBlock = {
  n: number;
  previous: string;
  digest: string;
  head: string;
  from: ChainPosition;
  to: ChainPosition;
  firstId: number;
  lastId: number;
  entries: number;
  sealedAt: string;
  form: 1 | 2;
};

type Row = Record<
  "n" | "fromEra" | "fromXid" | "toEra" | "toXid" | "firstId" | "lastId" | "entries" | "sealedAt" | "form",
  string
> & { previous: string; digest: string; head: string };

const BATCH = 1000;

const blockColumns = sql`n::text, previous, digest, head, from_era::text AS "fromEra", from_xid::text AS "fromXid",
  to_era::text AS "toEra", to_xid::text AS "toXid", first_id::text AS "firstId", last_id::text AS "lastId",
  entries::text, ${spellColumn(sql`sealed_at`)} AS "sealedAt", form::text`;

/** One block; throws if it does not exist. */
export async function storedBlock(exec: Executor, n: number): Promise<StoredBlock> {
  const [row] = await exec.execute<Row>(
    sql`SELECT ${blockColumns} FROM audit.blocks b WHERE b.n = ${n}::bigint`,
  );
  if (row === undefined) throw new Error(`audit: there is no block ${n}`);
  return asBlock(row);
}

/** Reads the chain from its beginning, in batches. */
export async function* storedBlocks(exec: Executor): AsyncGenerator<StoredBlock> {
  let after = "-9223372036854775808";
  for (;;) {
    const rows = await exec.execute<Row>(sql`
      SELECT ${blockColumns} FROM audit.blocks b WHERE b.n > ${after}::bigint ORDER BY b.n LIMIT ${BATCH}`);
    for (const row of rows) yield asBlock(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.n;
  }
}

function asBlock(row: Row): StoredBlock {
  return {
    n: Number(row.n),
    previous: row.previous,
    digest: row.digest,
    head: row.head,
    from: { era: Number(row.fromEra), xid: row.fromXid },
    to: { era: Number(row.toEra), xid: row.toXid },
    firstId: Number(row.firstId),
    lastId: Number(row.lastId),
    entries: Number(row.entries),
    sealedAt: row.sealedAt,
    form: row.form === "1" ? 1 : 2,
  };
}
