import { sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import {
  areEarlierSealed,
  maxNamedRecords,
  type RecordsChecked,
  recordAuditEntry,
  recordEarlierSealed,
  registerSealedRecords,
} from "#modules/audit";
import { holdAdministrators } from "./administrator-grants.ts";

registerSealedRecords({
  name: "administrators",
  check: checkAdministrators,
  sealEarlier: sealEarlierAdministrators,
});

/** Each person's administrator right according to their latest log entry, as a subquery: `id`, `is_admin`. */
const loggedAdminRights = sql`(
  SELECT DISTINCT ON (id) id::bigint AS id, is_admin FROM (
    SELECT e.subject_id AS id, e.action IN ('admin_created', 'admin_granted') AS is_admin, e.id AS entry FROM audit.entries e
    WHERE e.action IN ('admin_created', 'admin_granted', 'admin_revoked', 'user_deleted') AND e.subject_kind = 'user'
    UNION ALL
    SELECT a.id, true, e.id FROM audit.entries e, jsonb_array_elements_text(e.data->'administrators') AS a (id)
    WHERE e.action = 'administrators_digested' AND e.data ? 'administrators'
  ) entries WHERE id ~ '^[0-9]{1,18}$' ORDER BY id, entry DESC)`;

/**
 * Compares the administrators and their grants with the log. Names each person whose right differs from the latest entry, each grant
 * without an entry, and each grant logged since the catch-up that is missing. A difference disappears once the right is granted or revoked
 * on the pages again.
 */
async function checkAdministrators(tx: Tx): Promise<RecordsChecked> {
  const complete = await areEarlierSealed(tx, "administrators_digested");
  const [row] = await tx.execute<{ proved: string; wrong: string; found: string[] | null }>(sql`
    WITH first_complete AS (
      SELECT min(e.id) AS entry FROM audit.entries e WHERE e.action = 'administrators_digested' AND e.data ? 'complete'
    ), compared AS (
      SELECT coalesce(u.id, l.id) AS id, CASE
        WHEN coalesce(u.is_admin, false) = coalesce(l.is_admin, false) THEN 'proved'
        WHEN l.is_admin THEN 'lost administrator rights' ELSE 'has administrator rights' END AS state
      FROM identity.users u FULL JOIN ${loggedAdminRights} l ON l.id = u.id
      WHERE u.is_admin OR l.is_admin
      UNION ALL
      SELECT coalesce(g.made, e.made), CASE WHEN g.made IS NULL THEN 'lost a grant of administrator rights' WHEN e.made IS NULL THEN 'has a grant of administrator rights' ELSE 'proved' END
      FROM identity.admin_grants g FULL JOIN (
        SELECT substring(e.subject_id FROM '^[0-9]{1,18}$')::bigint AS made, e.user_id AS by, e.at, e.id > (SELECT entry FROM first_complete) AS compared
        FROM audit.entries e WHERE e.action = 'admin_granted' AND e.subject_kind = 'user'
      ) e ON (e.made, e.by, e.at) = (g.made, g.by, g.at)
      WHERE g.made IS NOT NULL OR (e.compared AND e.made IS NOT NULL)
    ), wrong AS (SELECT DISTINCT id, state FROM compared WHERE state <> 'proved' AND ${complete}::boolean)
    SELECT (SELECT count(*) FROM compared WHERE state = 'proved')::text AS proved, (SELECT count(*) FROM wrong)::text AS wrong,
      (SELECT array_agg(what) FROM (
        SELECT format('user %s %s without an entry', id, state) AS what FROM wrong ORDER BY id, state LIMIT ${maxNamedRecords}) first_few) AS found`);
  if (row === undefined) throw new Error("identity: no administrators were compared");
  return { proved: Number(row.proved), waiting: 0, wrong: Number(row.wrong), found: row.found ?? [] };
}

/** Records the administrators who have no log entry; does so only once. */
async function sealEarlierAdministrators(at: Date): Promise<void> {
  await runInTransaction(async (tx) => {
    await holdAdministrators(tx);
    if (await areEarlierSealed(tx, "administrators_digested")) return;
    const rows = await tx.execute<{ id: string }>(sql`
      SELECT u.id FROM identity.users u LEFT JOIN ${loggedAdminRights} l ON l.id = u.id WHERE u.is_admin AND l.id IS NULL ORDER BY u.id`);
    const administrators = rows.map(({ id }) => Number(id));
    if (administrators.length > 0) {
      const data = { administrators };
      await recordAuditEntry(tx, { by: { userId: null }, action: "administrators_digested", at, data });
    }
    await recordEarlierSealed(tx, "administrators_digested", at, administrators.length);
  });
}
