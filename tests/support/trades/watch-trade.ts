import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { ownerDatabase } from "../database/test-database.ts";
import { formatInWords } from "./format-in-words.ts";
import { hearFrames } from "./room-frames.ts";
import type { PlantedTrade } from "./sandbox-trades.ts";

// Reads back all that a step of a trade has left behind, so that a test can hold it whole.

type Row = Record<string, unknown> & { id: unknown };

/** Ids begin where no sum is, so that one in a text is known for what it is. */
export async function raiseTableIds(): Promise<void> {
  for (const [n, table] of [
    "identity.users",
    "rooms.rooms",
    "escrow.trades",
    "escrow.deadlines",
    "escrow.disputes",
    "escrow.details",
    "escrow.dispute_statements",
    "payments.payments",
    "payments.payouts",
  ].entries()) {
    const from = sql.raw(`ALTER TABLE ${table} ALTER COLUMN id RESTART WITH ${(n + 1) * 10_000_000}`);
    await ownerDatabase().execute(from);
  }
}

/** What is told: each line once, in the order in which it was written. */
const eventQueries: Record<string, (deal: PlantedTrade) => SQL> = {
  // A digest is another each time: it is salted.
  log: ({
    id,
  }) => sql`SELECT id, action, user_id AS by, at, room_id AS room, data - 'digest' AS data FROM audit.entries
      WHERE subject_kind = 'transaction' AND subject_id = ${String(id)} ORDER BY id`,
  mail: (
    deal,
  ) => sql`SELECT id, template, recipient AS to, language, user_id AS person, data, key FROM mailer.messages
      WHERE user_id IN ${participantIds(deal)} OR data ->> 'url' = ${`/admin/transactions/${deal.id}`} ORDER BY id`,
  push: (deal) => sql`SELECT id, event, user_id AS to, url, params, key FROM mailer.pushes
      WHERE user_id IN ${participantIds(deal)} ORDER BY id`,
  notice: ({ roomId }) => sql`SELECT id, code, type, created_at AS at, params FROM rooms.messages
      WHERE room_id = ${roomId} AND sender_id IS NULL ORDER BY seq`,
  job: ({ id }) => sql`SELECT id, name, start_after AS at, data, singleton_key AS key FROM pgboss.job
      WHERE name LIKE 'escrow.%' AND state = 'created' AND (data -> 'data' ->> 'tradeId' = ${String(id)}
        OR data -> 'data' ->> 'id' IN (SELECT id::text FROM escrow.deadlines WHERE trade_id = ${id})
        OR data -> 'data' ->> 'id' IN (SELECT id::text FROM escrow.vaults WHERE trade_id = ${id}))
      ORDER BY name, singleton_key, start_after`,
};

/** What stands: the columns that are otherwise than before. */
const stateQueries: Record<string, (deal: PlantedTrade) => SQL> = {
  room: ({ roomId }) =>
    sql`SELECT id, ended_at FROM rooms.rooms WHERE id = ${roomId} AND ended_at IS NOT NULL`,
  trade: ({ id }) => sql`SELECT * FROM escrow.trades WHERE id = ${id}`,
  step: ({ id }) =>
    sql`SELECT step AS id, completed_at FROM escrow.steps WHERE trade_id = ${id} ORDER BY completed_at, step`,
  deadline: ({ id }) => sql`SELECT * FROM escrow.deadlines WHERE trade_id = ${id} ORDER BY id`,
  dispute: ({ id }) => sql`SELECT * FROM escrow.disputes WHERE trade_id = ${id} ORDER BY id`,
  statement: ({
    id,
  }) => sql`SELECT s.* FROM escrow.dispute_statements s JOIN escrow.disputes d ON d.id = s.dispute_id
      WHERE d.trade_id = ${id} ORDER BY s.id`,
  information: ({ id }) =>
    sql`SELECT side AS id, given_at, corrected_at, shared_at, confirmed_at FROM escrow.information WHERE trade_id = ${id} ORDER BY side`,
  detail: ({ id }) => sql`SELECT * FROM escrow.details WHERE trade_id = ${id} ORDER BY id`,
  vault: ({
    id,
  }) => sql`SELECT v.id, version, client_id, sealed_by, sealed_at, opened_at, opened_count, password_at,
        second_factor_at, recovery_at, reminded_at, destroyed_at, body IS NOT NULL AS text, k.key IS NOT NULL AS key
      FROM escrow.vaults v LEFT JOIN escrow.vault_keys k ON k.vault_id = v.id WHERE trade_id = ${id} ORDER BY version`,
  money: ({ id }) => sql`SELECT * FROM payments.payouts WHERE reference = ${id} ORDER BY id`,
};

function participantIds({ buyer, seller, admin }: PlantedTrade): SQL {
  return sql`(${buyer.userId}, ${seller.userId}, ${admin.userId})`;
}

/** Names of a trade's people and places, and of other ids by the order in which they are first met: no two runs have the same ids. */
function createIdNamer(deal: PlantedTrade) {
  const names = new Map<string, string>([
    [String(deal.id), "TRADE"],
    [String(deal.roomId), "ROOM"],
    [String(deal.buyer.userId), "BUYER"],
    [String(deal.seller.userId), "SELLER"],
    [String(deal.admin.userId), "ADMIN"],
    [deal.buyer.email, "BUYER@"],
    [deal.seller.email, "SELLER@"],
    [deal.admin.email, "ADMIN@"],
  ]);
  const counts = new Map<string, number>();
  const named = (kind: string, text: string) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(text, `${kind}-${count}`);
    return `${kind}-${count}`;
  };
  return (text: string) =>
    text
      .replace(/MM-[0-9A-Z]{8}/g, "CODE")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => named("UUID", id))
      .replace(/user[\w-]+@example\.mn/g, (email) => names.get(email) ?? email)
      .replace(/\b[1-9]0\d{6}\b/g, (id) => named("ID", id));
}

/** The word of a value that is one: its times told from `at`. */
const wordOf = (words: (text: string) => string, at: Date) => (value: unknown) => {
  if (typeof value === "string") {
    const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? words(value) : formatSpan(new Date(time), at);
  }
  return value === null || typeof value !== "object" ? words(String(value)) : undefined;
};

/** Watches a trade; each `look` answers the lines of what is new since the one before, its times told from `at`. */
export function watchTrade(deal: PlantedTrade) {
  const before = new Map<string, Row>();
  const words = createIdNamer(deal);
  const frames: string[] = [];
  const deaf = hearFrames(deal.roomId, (frame) => frames.push(frame));

  /** What is new of a row; nothing where it stands as it did. */
  function lineOf(kind: string, row: Row, said: (value: unknown) => string): string[] {
    const was = before.get(`${kind} ${row.id}`);
    before.set(`${kind} ${row.id}`, row);
    const { id, salt: _, ...parts } = row;
    if (kind in eventQueries) {
      const all = Object.values(parts).flatMap((one) => (one === null ? [] : said(one)));
      return was === undefined ? [`${kind} ${all.join(" ")}`] : [];
    }
    const changed = Object.entries(parts).filter(([key, one]) =>
      was === undefined ? one !== null && one !== "" && key !== "trade_id" : said(was[key]) !== said(one),
    );
    if (changed.length === 0) return [];
    return [`${kind} ${said(id)}: ${changed.map(([key, one]) => `${key} ${said(one)}`).join(", ")}`];
  }

  return {
    deaf,
    async look(at: Date): Promise<string[]> {
      const said = (value: unknown) => formatInWords(value, wordOf(words, at));
      const rows = await readTradeRows(deal);
      const lines = rows.flatMap(({ kind, row }) => lineOf(kind, row, said));
      // What notices are sent as is the rooms' matter.
      const others = frames
        .splice(0)
        .map((frame) => JSON.parse(frame) as { type: string; data?: unknown })
        .filter(({ type }) => type !== "message");
      return [...lines, ...others.map(({ type, data }) => `frame ${type} ${said(data)}`)];
    },
  };
}

/** All rows of a trade in one question. */
async function readTradeRows(deal: PlantedTrade): Promise<Array<{ kind: string; row: Row }>> {
  const parts = Object.entries({ ...stateQueries, ...eventQueries }).map(
    ([kind, query], n) =>
      sql`SELECT ${n}::int AS n, row_number() OVER () AS r, ${kind}::text AS kind, to_json(q) AS row FROM (${query(deal)}) q`,
  );
  return db().execute(sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY n, r`);
}

function formatSpan(time: Date, at: Date): string {
  // Jobs for at once have the database's own time.
  if (time.getTime() < at.getTime() - 365 * 86_400_000) return "at-once";
  const minutes = (time.getTime() - at.getTime()) / 60_000;
  return minutes === 0 ? "now" : `${minutes > 0 ? "+" : ""}${Number(minutes.toFixed(3))}m`;
}
