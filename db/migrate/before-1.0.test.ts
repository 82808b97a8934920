import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freshDatabase } from "../../tests/support/database/test-database.ts";
import { openClient } from "../client.ts";
import { migrationsFolder } from "./journal.ts";

// What the migrations before 1.0 make of existing rows: databases and backups from before 1.0 still go through them.

let client: ReturnType<typeof openClient>;
/** The connection of the older version that keeps running. */
let older: ReturnType<typeof openClient>;
let drop: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshDatabase(true);
  drop = fresh.drop;
  client = openClient(fresh.url, { max: 1 });
  older = openClient(fresh.url, { max: 1 });
});
afterAll(async () => {
  await Promise.all([client.end(), older.end()]);
  await drop();
});

const folder = join(migrationsFolder, "before-1.0");
const files = readdirSync(folder)
  .filter((name) => /^\d{4}_.*\.sql$/.test(name))
  .sort();

/** Applies the remaining migrations in order, up to but without the given one. */
async function migrateUntil(tag?: string): Promise<void> {
  for (let file = files[0]; file !== undefined && file !== `${tag}.sql`; file = files[0]) {
    await client.unsafe(readFileSync(join(folder, file), "utf8"));
    files.shift();
  }
}

test("a transfer approved before claims existed is claimed by its approver, unless it needs a second person", async () => {
  await migrateUntil("0030_claims");
  await client`
    INSERT INTO payments.payouts (reference, kind, source, amount, fee, destination, due_at, created_at)
    SELECT n, 'payout', 'escrow', 100, 0, '{"bankName": "Khan", "accountName": "Bold", "accountNumber": "5"}', now(), now()
    FROM generate_series(1, 3) n`;
  await client`
    UPDATE payments.payouts SET state = 'approved', approved_by = 7, approved_at = '2026-03-01', four_eyes = reference = 2
    WHERE reference < 3`;
  await migrateUntil("0034_erased_words");
  const rows = await client`
    SELECT claimed_by AS by, claimed_at = approved_at AS since FROM payments.payouts ORDER BY reference`;
  expect([...rows]).toEqual([
    { by: "7", since: true },
    { by: null, since: null },
    { by: null, since: null },
  ]);
});

test("a payout or refund erased before reasons existed has none; others keep theirs", async () => {
  await client`
    UPDATE payments.payouts SET state = 'void', voided_at = now(), reason = 'no such account' WHERE reference > 1`;
  await client`UPDATE payments.payouts SET destination = NULL, erased_at = now() WHERE reference = 2`;
  await migrateUntil("0036_silence");
  const rows = await client`SELECT reference, reason FROM payments.payouts ORDER BY reference`;
  expect([...rows]).toEqual([
    { reference: "1", reason: null },
    { reference: "2", reason: null },
    { reference: "3", reason: "no such account" },
  ]);
});

test("people who were waiting before a deadline existed get all of it: the seller, a paused one in a dispute, and a refund's buyer", async () => {
  const trades = [
    ["exchange_completed", null],
    ["disputed", "exchange_completed"],
    ["disputed", "payment_confirmed"],
    ["settlement_pending", null],
    ["settlement_pending", null],
  ] as const;
  for (const [n, [status, from]] of trades.entries()) {
    await client`
      INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, status,
        confirmed_at, buyer_completed_at, disputed_from, created_at, updated_at)
      VALUES (${`MM-0000000${n}`}, ${n + 1}, 1, 2, 100, 10, 'buyer', 'standard', 110, 100, ${status}, now(), now(), ${from},
        now(), now())`;
  }
  await client`
    INSERT INTO payments.payouts (reference, kind, source, amount, fee, destination, due_at, created_at)
    SELECT id, 'refund', source, 40, 0, destination::jsonb, now(), now()
    FROM escrow.trades JOIN (VALUES
      ('MM-00000003', 'escrow', NULL), ('MM-00000003', 'suspense:1', NULL),
      ('MM-00000004', 'escrow', '{"bankName": "Khan", "accountName": "Bold", "accountNumber": "5"}')
    ) AS refund (of, source, destination) ON of = code`;
  await migrateUntil("0038_partitions");
  const rows = await client`
    SELECT t.code, d.kind, d.state, due_at - now() > interval '11 hours' AS ahead, next_at < due_at AS reminds,
      paused_at IS NOT NULL AS halted
    FROM escrow.deadlines d JOIN escrow.trades t ON t.id = d.trade_id ORDER BY d.id`;
  expect([...rows]).toEqual([
    {
      code: "MM-00000000",
      kind: "seller_finish",
      state: "running",
      ahead: true,
      reminds: true,
      halted: false,
    },
    { code: "MM-00000001", kind: "seller_finish", state: "paused", ahead: true, reminds: null, halted: true },
    {
      code: "MM-00000003",
      kind: "refund_account",
      state: "running",
      ahead: true,
      reminds: true,
      halted: false,
    },
  ]);
});

/** The statements of the version before partitions, verbatim, on a connection that has already prepared them. */
const said = {
  message: (roomId: number, clientId: string) => older`
    WITH bump AS (
      UPDATE rooms.counters SET last_seq = last_seq + 1
      WHERE room_id = ${roomId}
        AND NOT EXISTS (SELECT 1 FROM rooms.messages s WHERE s.room_id = ${roomId} AND s.client_id = ${clientId}::uuid)
      RETURNING last_seq
    )
    INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, image_url, image_width, image_height, created_at)
    SELECT ${roomId}, last_seq, 1, ${clientId}::uuid, 'image', '', '/x', 1, 1, now() FROM bump
    RETURNING id, seq`,
  image: (messageId: number) => older`
    INSERT INTO rooms.images (id, message_id, mime, bytes, sha256, sent_sha256)
    VALUES (gen_random_uuid(), ${messageId}, 'image/webp', 1, repeat('a', 64), repeat('a', 64)) RETURNING message_id`,
  entry: () => older`
    WITH written AS (
      INSERT INTO audit.entries (at, user_id, action, data, trace) VALUES (now(), 1, 'login', '{}', repeat('a', 64))
      RETURNING id, at
    )
    INSERT INTO audit.traces (entry_id, at, key, ip) SELECT id, at, decode(repeat('00', 32), 'hex'), '10.0.0.1' FROM written
    RETURNING entry_id`,
  list: () => older`
    SELECT e.id, t.ip FROM audit.entries e LEFT JOIN audit.traces t ON t.entry_id = e.id ORDER BY e.at DESC, e.id DESC`,
};

test("existing messages and entries become the first partition, and an older version continues their numbers", async () => {
  await client`INSERT INTO rooms.rooms (name, created_by_id, created_at) VALUES ('A game account', 1, now() - interval '1 year')`;
  await client`INSERT INTO rooms.counters (room_id) SELECT id FROM rooms.rooms`;
  const ids = Array.from({ length: 3 }, () => crypto.randomUUID());
  for (const id of ids) {
    const [message] = await said.message(1, id);
    await said.image(Number(message?.id));
    await said.entry();
  }
  await client`UPDATE rooms.messages SET created_at = now() - interval '200 days' WHERE seq = 1`;
  await migrateUntil();
  const [held] = await client`
    SELECT (SELECT count(*)::int FROM rooms.messages_earlier) AS messages, (SELECT count(*)::int FROM audit.entries_earlier) AS entries,
      (SELECT count(*)::int FROM rooms.images i JOIN rooms.messages m ON (m.id, m.created_at) = (i.message_id, i.message_at)) AS images`;
  expect(held).toEqual({ messages: 3, entries: 3, images: 3 });

  const [message] = await said.message(1, crypto.randomUUID());
  expect({ ...message }).toEqual({ id: "4", seq: "4" });
  expect([...(await said.message(1, ids[0] ?? ""))]).toEqual([]);
  expect({ ...(await said.image(4))[0] }).toEqual({ message_id: "4" });
  // The message that it sent got an entry with its digest, the fourth.
  expect({ ...(await said.entry())[0] }).toEqual({ entry_id: "5" });
  expect((await said.list()).map((row) => ({ ...row }))).toEqual(
    ["5", "4", "3", "2", "1"].map((id) => ({ id, ip: id === "4" ? null : "10.0.0.1" })),
  );
  await older`DELETE FROM audit.traces WHERE entry_id = 5`;
  await older`DELETE FROM rooms.rooms WHERE id = 1`;
  const [left] = await client`
    SELECT (SELECT count(*)::int FROM rooms.messages) AS messages, (SELECT count(*)::int FROM rooms.images) AS images`;
  expect(left).toEqual({ messages: 0, images: 0 });
});
