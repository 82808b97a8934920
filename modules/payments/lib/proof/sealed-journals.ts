import { sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import {
  areEarlierSealed,
  journalDigests,
  maxNamedRecords,
  type RecordsChecked,
  recordEarlierSealed,
  registerSealedRecords,
} from "#modules/audit";

registerSealedRecords({ name: "journals", check: checkJournals, sealEarlier: sealEarlierJournals });

/** Every journal with its lines, as a subquery: `id`, `event`, `digest`. */
const postedJournals = sql`(
  SELECT j.id, j.event, payments.journal_digest(j, l.lines) AS digest
  FROM payments.journals j LEFT JOIN (
    SELECT journal_id, array_agg(account || ' ' || amount ORDER BY account COLLATE "C") AS lines FROM payments.entries GROUP BY journal_id
  ) l ON l.journal_id = j.id)`;

/** Compares every journal with its digest in the log; lists those altered, added or removed by their events. */
async function checkJournals(tx: Tx): Promise<RecordsChecked> {
  const complete = await areEarlierSealed(tx, "journals_digested");
  const [row] = await tx.execute<{ proved: string; waiting: string; wrong: string; found: string[] | null }>(
    sql`
    WITH compared AS (
      SELECT coalesce(p.id, l.id) AS id, coalesce(l.event, p.event) AS event, CASE
        WHEN p.id IS NULL THEN 'removed'
        WHEN l.id IS NULL THEN CASE WHEN ${complete}::boolean THEN 'added' ELSE 'waiting' END
        WHEN p.digest IS DISTINCT FROM l.digest THEN 'altered'
        ELSE 'proved' END AS state
      FROM ${postedJournals} p FULL JOIN ${journalDigests} l ON p.id = l.id
    ), wrong AS (
      SELECT DISTINCT id, event, state FROM compared WHERE state IN ('removed', 'added', 'altered')
    )
    SELECT (SELECT count(*) FROM compared WHERE state = 'proved')::text AS proved,
      (SELECT count(*) FROM compared WHERE state = 'waiting')::text AS waiting,
      (SELECT count(*) FROM wrong)::text AS wrong,
      (SELECT array_agg(what) FROM (
        SELECT format('journal %s was %s', event, state) AS what FROM wrong ORDER BY id LIMIT ${maxNamedRecords}) first_few) AS found`,
  );
  if (row === undefined) throw new Error("payments: no journals were compared");
  return {
    proved: Number(row.proved),
    waiting: Number(row.waiting),
    wrong: Number(row.wrong),
    found: row.found ?? [],
  };
}

/**
 * Adds to the log the digests of journals that were posted before digests were kept, 500 an entry, in one transaction, and records that
 * every journal now has one. A journal that is posted meanwhile has its own digest.
 */
async function sealEarlierJournals(at: Date): Promise<void> {
  await runInTransaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('payments.seal-earlier'))`);
    if (await areEarlierSealed(tx, "journals_digested")) return;
    const [row] = await tx.execute<{ count: string }>(sql`
      WITH earlier AS (
        SELECT p.*, (row_number() OVER (ORDER BY p.id) - 1) / 500 AS part
        FROM ${postedJournals} p WHERE NOT EXISTS (SELECT FROM ${journalDigests} l WHERE l.id = p.id)
      ), recorded AS (
        INSERT INTO audit.entries (at, action, data)
        SELECT ${at.toISOString()}::timestamptz, 'journals_digested',
          jsonb_build_object('digests', jsonb_object_agg(id, jsonb_build_array(event, digest)))
        FROM earlier GROUP BY part
      )
      SELECT count(*)::text AS count FROM earlier`);
    await recordEarlierSealed(tx, "journals_digested", at, Number(row?.count ?? 0));
  });
}
