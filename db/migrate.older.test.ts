import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freshDatabase } from "../tests/support/database.ts";
import { openClient } from "./client.ts";
import { migrationsFolder } from "./migrate.ts";

// What stood before a migration, and is meant by it too.

let client: ReturnType<typeof openClient>;
let drop: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshDatabase(true);
  drop = fresh.drop;
  client = openClient(fresh.url, { max: 1 });
});
afterAll(async () => {
  await client.end();
  await drop();
});

const files = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** Applies what is left, in its order, up to a migration and without it. */
async function migrateUntil(tag?: string): Promise<void> {
  for (let file = files[0]; file !== undefined && file !== `${tag}.sql`; file = files[0]) {
    await client.unsafe(readFileSync(join(migrationsFolder, file), "utf8"));
    files.shift();
  }
}

test("a transfer approved before there were claims is its approver's, but where it takes a second person", async () => {
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

test("a payout or refund that was erased before reasons were has none; what is not erased keeps its own", async () => {
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

test("whoever was waited for before there was a clock gets the whole of it: the seller, halted in a dispute, and a refund's buyer", async () => {
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
  await migrateUntil();
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
