import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { AuditAction } from "#locales";
import { toStorableText, traceHash, traceKey, traceOf } from "../core/address-trace.ts";

/** Who acted, and from where. `userId` is null for a visitor, a job, or Midman itself. */
export type AuditActor = { userId: number | null; ip?: string | null; device?: string | null };

export type NewEntry = {
  by: AuditActor;
  /** An action for which the text catalogues have a label: an unlabelled action is a type error. */
  action: AuditAction;
  at: Date;
  roomId?: number;
  subject?: { kind: string; id: string | number };
  data?: Record<string, unknown>;
};

/**
 * Writes audit entries in the transaction of the change they record; several entries cost one statement and keep their order. `data` is
 * kept permanently: ids, amounts, states and codes, never names, addresses, secrets or message text. `digest`: SQL for the digest of the
 * changed row (`digestOfRow`), stored as `data.digest` of the single entry.
 */
export async function recordAuditEntry(tx: Tx, entry: readonly NewEntry[]): Promise<void>;
export async function recordAuditEntry(tx: Tx, entry: NewEntry, digest?: SQL): Promise<void>;
export async function recordAuditEntry(
  tx: Tx,
  entry: NewEntry | readonly NewEntry[],
  digest?: SQL,
): Promise<void> {
  const rows = (Array.isArray(entry) ? entry : [entry]).map(asRow);
  if (rows.length === 0) return;
  await tx.execute(sql`
    WITH input AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows, toPlainJson)}::jsonb) AS row(
        at timestamptz, user_id bigint, action text, room_id bigint, subject_kind text, subject_id text,
        data jsonb, trace text, key text, ip text, device text)
    ), written AS (
      INSERT INTO audit.entries (at, user_id, action, room_id, subject_kind, subject_id, data, trace)
      SELECT at, user_id, action, room_id, subject_kind, subject_id, ${sealedData(digest)}, trace FROM input
      RETURNING id, at, trace
    )
    INSERT INTO audit.traces (entry_id, at, key, ip, device)
    SELECT written.id, written.at, decode(input.key, 'hex'), input.ip, input.device
    FROM written JOIN input ON input.trace = written.trace`);
}

function sealedData(digest: SQL | undefined): SQL {
  return digest === undefined ? sql`data` : sql`data || jsonb_build_object('digest', ${digest})`;
}

function asRow({ by, action, at, roomId, subject, data }: NewEntry) {
  const trace = traceOf(by.ip, by.device);
  const key = traceKey();
  return {
    at: at.toISOString(),
    user_id: by.userId,
    action,
    room_id: roomId ?? null,
    subject_kind: subject?.kind ?? null,
    subject_id: subject === undefined ? null : String(subject.id),
    data: data ?? {},
    ...(trace && { trace: traceHash(key, trace), key: key.toString("hex"), ...trace }),
  };
}

function toPlainJson(_key: string, value: unknown): unknown {
  if (typeof value === "string") return toStorableText(value);
  return typeof value === "bigint" ? value.toString() : value;
}
