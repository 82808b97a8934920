import { createHmac, randomBytes } from "node:crypto";
import { TRACE_DAYS } from "#modules/audit";
import { type FillContext, inParts } from "./fill-context.ts";

/** The number of addresses with a device; each stands for several people. */
const originCount = 20_000;
const deviceNames = [
  "Chrome, Android",
  "Safari, iPhone",
  "Chrome, Windows",
  "Firefox, Windows",
  "Samsung Internet, Android",
];

/**
 * Fills the log of the year: mostly messages and connections, with sign-ins and actions on trades and money. Each entry belongs to people
 * and rooms active at its time. Entries are written oldest first, and `startAudit` seals them meanwhile.
 */
export async function fillLog({ sql, sizes, users, trades }: FillContext): Promise<void> {
  await fillOrigins(sql);
  const { logs, transactions, users: people } = sizes;
  await inParts(sql, logs, 25_000, async (tx, from, to) => {
    await tx`
      WITH numbered AS MATERIALIZED (
        SELECT n, random() AS chance, random() < 0.5 AS buying,
          greatest(1, ceil(n::float / ${logs} * ${transactions} - power(random(), 2) * 300))::int AS trade,
          ceil(random() * greatest(1, n::float / ${logs} * ${people}))::int AS person,
          now() - interval '365 days' * (1 - n::float / ${logs}) AS at
        FROM generate_series(${from}::int, ${to}::int) AS n
      ), told AS (
        SELECT numbered.n, at, chance, room_id, trade, CASE WHEN buying THEN buyer_id ELSE seller_id END AS member, ${users}::bigint + person AS other,
          CASE WHEN chance < 0.36 THEN 'message_sent' WHEN chance < 0.58 THEN 'websocket_connect'
            WHEN chance < 0.80 THEN 'websocket_disconnect' WHEN chance < 0.88 THEN 'login' WHEN chance < 0.91 THEN 'logout'
            WHEN chance < 0.93 THEN 'login_failed' WHEN chance < 0.94 THEN 'password_changed'
            WHEN chance < 0.95 THEN 'transaction.created'
            WHEN chance < 0.97 THEN 'transaction.issue_invoice' WHEN chance < 0.985 THEN 'transaction.confirm'
            WHEN chance < 0.9999 THEN 'transaction.hand_over' ELSE 'admin_granted' END AS action
        FROM numbered JOIN seed_trades t ON t.n = numbered.trade
      ), lines AS (
        SELECT n, at, action, trade, CASE WHEN of_trade OR chance < 0.80 THEN room_id END AS room_id,
          CASE WHEN of_trade OR chance < 0.80 THEN member ELSE other END AS who,
          CASE WHEN of_trade THEN 'transaction' WHEN chance < 0.36 THEN 'message' END AS kind
        FROM told, LATERAL (SELECT chance BETWEEN 0.94 AND 0.9999 AS of_trade) AS subject
      ), written AS (
        INSERT INTO audit.entries (era, at, user_id, action, room_id, subject_kind, subject_id, data, trace)
        -- The era is asked for once and not for every row, as its default would.
        SELECT (SELECT audit.current_era()), at, who, action, room_id, kind,
          CASE kind WHEN 'transaction' THEN (${trades}::bigint + trade)::text WHEN 'message' THEN lines.n::text END, '{}', o.trace
        FROM lines JOIN seed_origins o ON o.n = who % ${originCount}
        ORDER BY lines.n
        RETURNING id, at, trace
      )
      INSERT INTO audit.traces (entry_id, at, key, ip, device)
      SELECT id, at, key, ip, device FROM written JOIN seed_origins USING (trace)
      WHERE at > now() - ${TRACE_DAYS} * interval '1 day'`;
  });
  // Older entries have no trace, as after the nightly scrubbing; the log must record that.
  const olderThan = new Date(Date.now() - TRACE_DAYS * 86_400_000).toISOString();
  await sql`INSERT INTO audit.entries (at, action, data) VALUES (now(), 'traces_scrubbed', ${sql.json({ olderThan })})`;
}

/** Fills the addresses, each with the keyed hash that represents it in the chain (`traceHash` of the log). */
async function fillOrigins(sql: FillContext["sql"]): Promise<void> {
  await sql`CREATE TEMP TABLE seed_origins (n int, key bytea, ip text, device text, trace text)`;
  const rows = Array.from({ length: originCount }, (_, n) => {
    const key = randomBytes(32);
    const ip = `${[43, 103, 124, 202][n % 4]}.${n % 251}.${(n * 7) % 253}.${(n * 13) % 255}`;
    const device = deviceNames[n % deviceNames.length] ?? "";
    const trace = createHmac("sha256", key)
      .update(JSON.stringify([ip, device]))
      .digest("hex");
    return { n, key: key.toString("hex"), ip, device, trace };
  });
  await sql`
    INSERT INTO seed_origins SELECT n, decode(key, 'hex'), ip, device, trace
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS row (n int, key text, ip text, device text, trace text)`;
  await sql`ANALYZE seed_origins`;
}
