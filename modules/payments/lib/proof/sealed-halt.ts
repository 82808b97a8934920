import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { RecordAltered, type RecordsChecked, registerSealedRecords } from "#modules/audit";

/**
 * The halt switch must match its latest audit entry, including the reasons and the proposal to resume. Every change has had an entry since
 * the switch exists. Entries of versions without a digest prove who changed it and when, but not the reasons.
 */
registerSealedRecords({ name: "halt", check: checkHaltSwitch, sealEarlier: async () => {} });

async function checkHaltSwitch(tx: Tx): Promise<RecordsChecked> {
  const { altered } = await compareHalt(tx);
  if (!altered) return { proved: 1, waiting: 0, wrong: 0, found: [] };
  return { proved: 0, waiting: 0, wrong: 1, found: ["the halt of outgoing money was altered"] };
}

/**
 * Compares the halt switch with the log. `altered`: the row differs from its latest entries, or is missing; `haltedByLog`: money is halted
 * by the log. The caller has locked the row, or reads row and log in one snapshot. Old reasons are erased (`erase-personal-data.ts`);
 * without them only the other fields are compared.
 */
export async function compareHalt(tx: Tx): Promise<{ altered: boolean; haltedByLog: boolean }> {
  const [row] = await tx.execute<{ same: boolean | null; halted: boolean }>(sql`
    WITH told AS (SELECT e.* FROM audit.entries e WHERE e.subject_kind = 'money' AND e.subject_id = 'halt'),
    turned AS (
      SELECT (data->>'after')::boolean AS halted, at FROM told WHERE action IN ('money.halted', 'money.resumed') ORDER BY id DESC LIMIT 1
    ),
    latest AS (
      SELECT action = 'money.resume_proposed' AS proposes, user_id, at, data->>'digest' AS digest FROM told ORDER BY id DESC LIMIT 1
    )
    SELECT coalesce((SELECT halted FROM turned), false) AS halted, (
      SELECT h.halted = coalesce((SELECT halted FROM turned), false)
        AND h.changed_at IS NOT DISTINCT FROM (SELECT at FROM turned)
        AND h.resume_by IS NOT DISTINCT FROM (SELECT user_id FROM latest WHERE proposes)
        AND h.resume_at IS NOT DISTINCT FROM (SELECT at FROM latest WHERE proposes)
        AND (h.reason IS NULL OR coalesce((SELECT digest FROM latest) = ${haltDigest}, true))
      FROM payments.halt h) AS same`);
  return { altered: row?.same !== true, haltedByLog: row?.halted === true };
}

/** SQL for the digest of the switch as it is when the statement runs; every audit entry about it stores this as `data.digest`. */
export const haltDigest = sql`(
  SELECT encode(sha256(convert_to(jsonb_build_array(
    d.halted, d.reason, d.changed_by, extract(epoch FROM d.changed_at), d.resume_by, extract(epoch FROM d.resume_at), d.resume_reason
  )::text, 'UTF8')), 'hex') FROM payments.halt d)`;

/** The halt switch differs from its last audit entry; halting money again repairs it. */
export class HaltAltered extends RecordAltered {}

/** Throws HaltAltered if the halt switch, whose row the caller has locked, differs from its last audit entry. */
export async function refuseAlteredHalt(tx: Tx): Promise<void> {
  const { altered } = await compareHalt(tx);
  if (altered)
    throw new HaltAltered("the halt of outgoing money differs from the log's last entry: halt it again");
}

/** SQL for the time of the latest change of the switch by the log; null if it was never changed. */
export const lastTurnedByLog = sql`(
  SELECT e.at FROM audit.entries e
  WHERE e.subject_kind = 'money' AND e.subject_id = 'halt' AND e.action IN ('money.halted', 'money.resumed') ORDER BY e.id DESC LIMIT 1)`;
