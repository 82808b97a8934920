import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { noPartition } from "../../support/database/partition-filter.ts";
import type { World } from "./world.ts";

/**
 * Tables that change by themselves, or by a refusal as they should: who was here, what was tried too often, what the log says of a
 * refusal, the ticket of a half-finished login, links that are made once the answer has gone out, how far unread messages were
 * searched, and what the provider was asked.
 */
const moving =
  /^(base|audit|pgboss|mailer|sandbox)\.|^identity\.(sessions|suspended_sessions|tokens|tickets|login_tickets)$|^rooms\.unread_searched$|^payments\.(provider_tokens|asks|tokens)$/;

let tables: string[] | undefined;

async function steadyTables(): Promise<string[]> {
  if (tables !== undefined) return tables;
  const rows = await db().execute<{ name: string }>(sql`
    SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') AND ${noPartition} ORDER BY 1`);
  tables = rows.map(({ name }) => name).filter((name) => !moving.test(name));
  return tables;
}

/** A row without `rooms.members.seen_at`: a member's socket writes when they were last there, whatever it says. */
const rowText = "(to_jsonb(t) - 'seen_at')::text";

/** A digest of every table of ours that only what takes effect may change, by the table's name. */
export async function digests(): Promise<Record<string, string>> {
  const parts = (await steadyTables()).map(
    (name) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(md5(${rowText}), '' ORDER BY md5(${rowText})), '')) AS digest FROM ${name} t`,
  );
  const rows = await db().execute<{ name: string; digest: string }>(sql.raw(parts.join(" UNION ALL ")));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Waits until no job is due or under way, ten seconds at most: what an earlier request has asked for is written before the next look. */
export async function jobsRested(): Promise<void> {
  for (const until = Date.now() + 10_000; Date.now() < until; await Bun.sleep(50)) {
    const [row] = await db().execute<{ due: boolean }>(sql`
      SELECT EXISTS (SELECT FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND start_after <= now()) AS due`);
    if (row?.due === false) return;
  }
}

/** The names of the tables in which two looks differ. */
export function changedBetween(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}

/** A digest of the trades, their money and their talk that outsiders have no part in. */
export async function guardedDigest({ guarded }: World): Promise<string> {
  const trades = sql.raw(guarded.trades.join(","));
  const rooms = sql.raw(guarded.rooms.join(","));
  const [row] = await db().execute<{ digest: string }>(sql`
    SELECT md5(concat_ws('|',
      (SELECT string_agg(t::text, ',' ORDER BY id) FROM escrow.trades t WHERE id IN (${trades})),
      (SELECT string_agg(p::text, ',' ORDER BY id) FROM payments.payouts p WHERE reference IN (${trades})),
      (SELECT string_agg(j::text, ',' ORDER BY id) FROM payments.journals j WHERE reference IN (${trades})),
      (SELECT string_agg(i::text, ',' ORDER BY id) FROM payments.invoices i WHERE reference IN (${trades})),
      (SELECT string_agg(m::text, ',' ORDER BY room_id, user_id) FROM rooms.members m WHERE room_id IN (${rooms})),
      (SELECT string_agg(m::text, ',' ORDER BY room_id, seq) FROM rooms.messages m WHERE room_id IN (${rooms}))
    )) AS digest`);
  return row?.digest ?? "";
}

/** How often money has left: journals of payouts and refunds. */
export async function timesMoneyLeft(): Promise<number> {
  const [row] = await db().execute<{ count: string }>(
    sql`SELECT count(*) FROM payments.journals WHERE kind IN ('payout', 'refund')`,
  );
  return Number(row?.count);
}
