import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type RecordsChecked, registerSealedRecords } from "#modules/audit";

/** The switch that stops outgoing money: as the latest entry about it says, its proposal to resume too. Its entries are as old as it is. */
registerSealedRecords({ name: "halt", check, sealEarlier: async () => {} });

async function check(tx: Tx): Promise<RecordsChecked> {
  const [row] = await tx.execute<{ same: boolean }>(sql`
    WITH told AS (SELECT e.* FROM audit.entries e WHERE e.subject_kind = 'money' AND e.subject_id = 'halt'),
    turned AS (SELECT (data->>'after')::boolean AS halted FROM told WHERE action IN ('money.halted', 'money.resumed') ORDER BY id DESC LIMIT 1),
    latest AS (SELECT action = 'money.resume_proposed' AS proposes, user_id, at FROM told ORDER BY id DESC LIMIT 1)
    SELECT h.halted = coalesce((SELECT halted FROM turned), false)
      AND h.resume_by IS NOT DISTINCT FROM (SELECT user_id FROM latest WHERE proposes)
      AND h.resume_at IS NOT DISTINCT FROM (SELECT at FROM latest WHERE proposes) AS same
    FROM payments.halt h`);
  if (row?.same === true) return { proved: 1, waiting: 0, wrong: 0, found: [] };
  return { proved: 0, waiting: 0, wrong: 1, found: ["the halt of outgoing money was altered"] };
}
