import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { drainJobs, startJobs, stopJobs } from "#db/jobs";
import { log } from "#db/log";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import {
  checkLedgerNow,
  enqueueLedgerCheck,
  lastLedgerCheck,
  ledgerVerificationState,
  registerLedgerAlarm,
} from "./check-ledger.ts";
import { due, holding } from "./money.fixture.ts";
import { verifyLedger } from "./verify-ledger.ts";

const database = useDatabase();
const start = new Date("2026-03-01T19:50:00Z");
const nights = (count: number, minutes = 0) =>
  new Date(start.getTime() + count * 86_400_000 + minutes * 60_000);

let restoreAlarm: (() => void) | undefined;
beforeAll(() => {
  restoreAlarm = registerLedgerAlarm(async () => {});
});
afterAll(() => restoreAlarm?.());

beforeEach(async () => {
  registerLedgerAlarm(async () => {});
  await ownerDatabase().execute(sql`DELETE FROM payments.ledger_checks`);
});

async function tamper(by: number): Promise<void> {
  await ownerDatabase().execute(sql`ALTER TABLE payments.balances DISABLE TRIGGER USER`);
  await ownerDatabase().execute(sql`UPDATE payments.balances SET balance = balance + ${by}::int`);
  await ownerDatabase().execute(sql`ALTER TABLE payments.balances ENABLE TRIGGER USER`);
}

test("a verification is stored with its sums or its findings; a failed one is reported in its own transaction", async () => {
  const told: Array<[string, string, string[]]> = [];
  registerLedgerAlarm(async (_, { at, since, problems }) => {
    told.push([at.toISOString(), since.toISOString(), problems.map(({ code }) => code)]);
  });
  expect(await lastLedgerCheck(db())).toBeNull();
  const { sums } = await verifyLedger();
  await due(await holding(1_234_567), "payout", 1_234_567);
  await checkLedgerNow(start);
  expect(await lastLedgerCheck(db())).toEqual({
    ...{ ok: true, at: start },
    sums: {
      ...sums,
      received: sums.received + 1_234_567,
      held: sums.held + 1_234_567,
      journals: sums.journals + 1,
      entries: sums.entries + 2,
      payments: sums.payments + 1,
      payouts: sums.payouts + 1,
    },
  });
  expect(told).toEqual([]);

  await tamper(1);
  const error = spyOn(log(), "error").mockImplementation(() => {});
  await checkLedgerNow(nights(1));
  await checkLedgerNow(nights(2));
  await checkLedgerNow(nights(2));
  const logged = [{ problems: ["BALANCE_DIFFERS"] }, "payments: the ledger is broken"];
  expect(error.mock.calls as unknown[]).toEqual([logged, logged, logged]);
  error.mockRestore();
  expectMatch(await lastLedgerCheck(db()), {
    ok: false,
    problems: [{ code: "BALANCE_DIFFERS", count: 1, examples: [expect.stringMatching(/^escrow:\d+$/)] }],
  });
  expect(told).toEqual([
    [nights(1).toISOString(), nights(1).toISOString(), ["BALANCE_DIFFERS"]],
    [nights(2).toISOString(), nights(1).toISOString(), ["BALANCE_DIFFERS"]],
  ]);
  expect(await ledgerVerificationState(nights(2))).toEqual({ brokenSince: nights(1), missingSince: null });

  await tamper(-1);
  await checkLedgerNow(nights(3));
  expect(await ledgerVerificationState(nights(3))).toEqual({ brokenSince: null, missingSince: null });
  expect(told).toHaveLength(2);
});

test("an alarm that fails stores nothing, so the job's next attempt sends it", async () => {
  await due(await holding(1_000), "payout", 1_000);
  await checkLedgerNow(nights(3));
  await tamper(1);
  registerLedgerAlarm(() => Promise.reject(new Error("no")));
  await expect(checkLedgerNow(nights(4))).rejects.toThrow("no");
  expect((await lastLedgerCheck(db()))?.at).toEqual(nights(3));
  await tamper(-1);
});

test("thirty-six hours without a verification are too long, a minute less is not", async () => {
  await checkLedgerNow(nights(3));
  const last = nights(3).getTime();
  const after = (minutes: number) => new Date(last + minutes * 60_000);
  expect((await ledgerVerificationState(after(36 * 60))).missingSince).toBeNull();
  expect((await ledgerVerificationState(after(36 * 60 + 1))).missingSince).toEqual(nights(3));
});

test("before the first one the time counts from when the job was first scheduled", async () => {
  const planned = (hours: number) =>
    runInTransaction(async (tx) => {
      await tx.execute(sql`SELECT pgboss.create_queue('payments.verify', '{"policy":"short"}'::jsonb)`);
      await tx.execute(sql`DELETE FROM pgboss.schedule WHERE name = 'payments.verify'`);
      await tx.execute(sql`
        INSERT INTO pgboss.schedule (name, cron, created_on)
        VALUES ('payments.verify', '50 19 * * *', now() - ${hours}::int * interval '1 hour')`);
    });
  await runInTransaction(enqueueLedgerCheck);
  await db().execute(sql`DELETE FROM pgboss.schedule`);
  expect((await ledgerVerificationState(nights(0))).missingSince).toBeNull();
  await planned(35);
  expect((await ledgerVerificationState(nights(0))).missingSince).toBeNull();
  await planned(37);
  expect((await ledgerVerificationState(nights(0))).missingSince).not.toBeNull();
});

test("a verification requested twice before it runs runs once", async () => {
  await drainJobs();
  await ownerDatabase().execute(sql`DELETE FROM payments.ledger_checks`);
  await runInTransaction(enqueueLedgerCheck);
  await runInTransaction(enqueueLedgerCheck);
  expect(await lastLedgerCheck(db())).toBeNull();
  expect(await drainJobs()).toEqual({ done: 1, failed: 0 });
  expect(await lastLedgerCheck(db())).toMatchObject({ ok: true });
});

test("it is verified every night at 3:50 in Ulaanbaatar, and may take an hour", async () => {
  await startJobs(database.url);
  await stopJobs();
  const planned = await db().execute(sql`
    SELECT cron, expire_seconds AS seconds FROM pgboss.schedule JOIN pgboss.queue USING (name)
    WHERE name = 'payments.verify'`);
  expect([...planned]).toEqual([{ cron: "50 19 * * *", seconds: 3_600 }]);
});
