import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { databaseLinesPattern } from "../../../../tests/support/server/run-command.ts";
import { due, holding } from "./money.fixture.ts";

const database = useDatabase();
const root = join(import.meta.dir, "../../../..");

beforeAll(async () => {
  const reference = await holding(1_234_567);
  await due(reference, "payout", 1_234_567);
  await ownerDatabase().execute(sql`
    INSERT INTO escrow.trades (id, code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, description, status,
      roles_locked_at, confirmed_at, created_at, updated_at) OVERRIDING SYSTEM VALUE
    VALUES (${reference}, 'MM-2345ABCD', 1, 1, 2, 1234567, 0, 'buyer', 'standard', 1234567, 1234567, NULL, 'settlement_pending',
      now(), now(), now(), now())`);
});

async function ledgerVerify(url: string): Promise<{ status: number; lines: string[] }> {
  const run = Bun.spawn(["bun", "run", "--silent", "ledger:verify"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors, status] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  return { status, lines: `${output}${errors.replace(databaseLinesPattern, "")}`.trim().split("\n") };
}

test("bun run ledger:verify prints the sums, reports that the ledger balances and exits with 0", async () => {
  const { status, lines } = await ledgerVerify(database.url);
  expect(lines).toEqual([
    "received                 1,234,567 ₮",
    "held                     1,234,567 ₮",
    "suspense                         0 ₮",
    "paid out                         0 ₮",
    "fees                             0 ₮",
    "refunded                         0 ₮",
    "1 journals, 2 entries, 1 payments, 1 payouts and refunds",
    "The ledger balances: received = held + suspense + paid out + fees + refunded.",
  ]);
  expect(status).toBe(0);
});

test("it names what is broken and exits with 1", async () => {
  await ownerDatabase().execute(sql`ALTER TABLE payments.balances DISABLE TRIGGER USER`);
  await ownerDatabase().execute(sql`UPDATE payments.balances SET balance = balance + 1`);
  const { status, lines } = await ledgerVerify(database.url);
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^BALANCE_DIFFERS: 1, such as escrow:\d+$/),
    "TRADE_ESCROW_DIFFERS: 1, such as MM-2345ABCD (settlement_pending)",
    "The ledger is BROKEN: BALANCE_DIFFERS, TRADE_ESCROW_DIFFERS.",
  ]);
  expect(status).toBe(1);
});

test("a database that does not answer exits with 1 and one line", async () => {
  const { status, lines } = await ledgerVerify("postgres://midman:x@127.0.0.1:1/nothing");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toStartWith("The ledger could not be verified: ");
  expect(status).toBe(1);
});
