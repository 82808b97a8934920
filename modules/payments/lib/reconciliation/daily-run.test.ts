import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { drainJobs, startJobs, stopJobs } from "#db/jobs";
import { daysAfter } from "#format";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { holdsOf, openHoldReasons } from "../holds/list-holds.ts";
import { first } from "../ledger/money.fixture.ts";
import { newReference, opened, useSandbox } from "../provider/provider.fixture.ts";
import { recordPayments } from "../received/record-payments.ts";
import { MOST_OPEN_DAYS, reconcileDueDays, startReconciling } from "./daily-run.ts";
import { reconcileDay } from "./reconcile.ts";
import { differencesOf, listReconciliationRuns } from "./runs-and-differences.ts";

const database = useDatabase();
const sandbox = useSandbox();

const day = "2026-03-01";
const on = (after: number) => daysAfter(day, after);
const at = (after: number, clock: string) => new Date(`${on(after)}T${clock}:00+08:00`);
const morning = (after: number) => reconcileDueDays(at(after, "07:10"));

beforeEach(async () => {
  await ownerDatabase().execute(sql`TRUNCATE payments.reconciliation_runs, payments.reconciliation_tasks`);
});

async function byHand(after: number, when: Date): Promise<void> {
  const done = await reconcileDay({ day: on(after), at: when, by: first });
  if (!done.ok) throw new Error(done.code);
}

/** The days that the job itself has compared, in its order. */
async function compared(): Promise<string[]> {
  const rows = await listReconciliationRuns(db(), { limit: 100 });
  return rows.flatMap((row) => (row.begunBy === null && row.failure === null ? [row.day] : [])).reverse();
}

describe("every morning", () => {
  test("at ten past seven the job starts by itself", async () => {
    startReconciling();
    await startJobs(database.url, { pollingSeconds: 600 });
    const schedule = sql`
      DELETE FROM pgboss.schedule WHERE name = 'payments.reconcile' RETURNING cron, timezone`;
    const rows = await db().execute(schedule);
    await stopJobs(); // not in Drizzle's finally(), which waits for nothing: a worker would take the job below
    expect([...rows]).toEqual([{ cron: "10 23 * * *", timezone: "UTC" }]);
    const putBack = setClock(() => at(1, "07:10"));
    await db().execute(sql`INSERT INTO pgboss.job (name, data) VALUES ('payments.reconcile', '{}')`);
    expect(await drainJobs().finally(putBack)).toEqual({ done: 1, failed: 0 });
    expect(await compared()).toEqual([day]);
  });

  test("the previous day is compared, once", async () => {
    await morning(1);
    expect(await compared()).toEqual([day]);
    await morning(1);
    expect(await compared()).toEqual([day]);
    await morning(2);
    expect(await compared()).toEqual([day, on(1)]);
  });

  test("missed mornings are made up for, seven days at most", async () => {
    await morning(1);
    await morning(5);
    expect(await compared()).toEqual([0, 1, 2, 3, 4].map(on));
    await morning(30);
    expect((await compared()).slice(5)).toEqual([23, 24, 25, 26, 27, 28, 29].map(on));
  });

  test("a manual comparison skips no missed day, and is not repeated", async () => {
    await morning(1);
    await byHand(3, at(4, "06:00"));
    await morning(5);
    expect(await compared()).toEqual([0, 1, 2, 4].map(on));
  });

  test("a manual comparison of an unfinished day leaves the whole day to be compared", async () => {
    await morning(1);
    await byHand(1, at(1, "23:00"));
    await morning(2);
    expect(await compared()).toEqual([day, on(1)]);
  });

  test("a provider that does not answer is called again, from the first missed morning on", async () => {
    await sandbox.told({ operation: "list", fail: 500, nextCalls: "all" });
    await expect(morning(1)).rejects.toThrow("could not be compared");
    await sandbox.told({ reset: true });
    await morning(3);
    expect(await compared()).toEqual([day, on(1), on(2)]);
  });
});

describe("a day that the provider refuses", () => {
  test("does not prevent later ones, and makes the job fail at the end, until it is compared", async () => {
    await morning(1);
    await morning(2);
    await sandbox.told({ operation: "list", fail: 400, nextCalls: 1 });
    await expect(morning(5)).rejects.toThrow(`${on(2)} could not be compared: PROVIDER_REFUSED`);
    expect((await compared()).slice(-2)).toEqual([3, 4].map(on));
    await morning(5);
    expect((await compared()).at(-1)).toBe(on(2));
  });
});

describe("a day with open differences", () => {
  /** A payment of a day at the provider that is not booked, and the comparison on the next morning that finds it. */
  async function planted(after: number) {
    const when = at(after, "12:00");
    const putBack = setClock(() => when);
    const invoice = await opened(newReference(), 10_000, when);
    const { paymentIds } = await sandbox.pay(invoice.providerId, { callback: false });
    putBack();
    await byHand(after, at(after + 1, "06:00"));
    return { invoice, providerPaymentId: paymentIds[0] ?? "", when };
  }
  type Planted = Awaited<ReturnType<typeof planted>>;

  function mended({ invoice: { id, reference, amount }, providerPaymentId, when }: Planted) {
    const row = { providerPaymentId, invoiceId: id, amount, paidAt: when };
    return runInTransaction((tx) => recordPayments(tx, { reference, rows: [row], owed: amount, at: when }));
  }
  const states = async (after: number) => (await differencesOf(db(), on(after))).map(({ state }) => state);

  test("is compared each morning until none are left", async () => {
    const plant = await planted(-90);
    await morning(1);
    expect(await compared()).toEqual([day, on(-90)]);
    expect(await states(-90)).toEqual(["open"]);
    await mended(plant);
    await morning(2);
    expect(await states(-90)).toEqual(["vanished"]);
    await morning(3);
    expect(await compared()).toEqual([day, on(-90), on(1), on(-90), on(2)]);
  });

  test("is not compared twice in a morning, neither after a manual run nor when the job is retried", async () => {
    await planted(-80);
    await planted(-79);
    await byHand(-80, at(1, "06:00"));
    await morning(1);
    await morning(1);
    expect(await compared()).toEqual([day, on(-79)]);
  });

  test("waits for its turn if there are many: the longest unchecked comes first", async () => {
    const many = Array.from({ length: MOST_OPEN_DAYS + 2 }, (_, n) => n - 70);
    for (const after of many) await planted(after);
    await morning(1);
    expect((await compared()).slice(1)).toEqual(many.slice(0, MOST_OPEN_DAYS).map(on));
    await morning(2);
    const turn = [...many.slice(MOST_OPEN_DAYS), ...many.slice(0, MOST_OPEN_DAYS - 2)];
    expect((await compared()).slice(1 + MOST_OPEN_DAYS)).toEqual([1, ...turn].map(on));
  });

  test("that the provider refuses blocks no other, and does not come first again", async () => {
    await planted(-40);
    await planted(-39);
    await byHand(0, at(1, "06:00"));
    await sandbox.told({ operation: "list", fail: 400, nextCalls: 1 });
    await morning(1);
    expect(await compared()).toEqual([on(-39)]);
    await morning(2);
    expect(await compared()).toEqual([-39, 1, -40, -39].map(on));
  });

  test("is retried with the job while the provider does not answer", async () => {
    await planted(-30);
    await byHand(0, at(1, "06:00"));
    await sandbox.told({ operation: "list", fail: 500, nextCalls: "all" });
    await expect(morning(1)).rejects.toThrow(`${on(-30)} could not be compared`);
    await sandbox.told({ reset: true });
    await morning(1);
    expect(await compared()).toEqual([on(-30)]);
  });
});

describe("a payment that is taken back after its day was compared", () => {
  /** A trade that was paid at noon of a day, at the provider and in the ledger. */
  async function paidOn(after: number): Promise<{ reference: number; paymentId: string }> {
    const reference = newReference();
    const noon = at(after, "12:00");
    const { id, providerId } = await opened(reference, 10_000, noon);
    const { paymentIds } = await sandbox.pay(providerId, { callback: false });
    const [paymentId = ""] = paymentIds;
    await db().execute(
      sql`UPDATE sandbox.payments SET paid_at = ${noon.toISOString()} WHERE id = ${paymentId}`,
    );
    const row = { providerPaymentId: paymentId, invoiceId: id, amount: 10_000, paidAt: noon };
    await runInTransaction((tx) => recordPayments(tx, { reference, rows: [row], owed: 10_000, at: noon }));
    return { reference, paymentId };
  }
  const takeBack = (paymentId: string) =>
    db().execute(sql`UPDATE sandbox.payments SET status = 'REFUNDED' WHERE id = ${paymentId}`);

  test("puts its trade on hold the next morning, up to fourteen days later", async () => {
    const { reference, paymentId } = await paidOn(0);
    await morning(1);
    expect(await openHoldReasons(db(), reference)).toEqual([]);
    await takeBack(paymentId);
    await morning(14);
    expect(await openHoldReasons(db(), reference)).toEqual(["DIFFERENCE"]);
    expect(await holdsOf(db(), reference)).toMatchObject([
      { facts: { cause: "refunded_there", day, providerPaymentId: paymentId, bookedAmount: 10_000 } },
    ]);
    await db().execute(sql`UPDATE sandbox.payments SET status = 'PAID' WHERE id = ${paymentId}`);
    await morning(15);
    expect(await openHoldReasons(db(), reference)).toEqual([]);
  });
});
