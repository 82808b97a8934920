import { afterEach, describe, expect, mock, setSystemTime, spyOn, test } from "bun:test";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { cancelInvoices } from "../invoices/cancel-invoices.ts";
import {
  invoicesTable,
  type ProviderInvoiceRow,
  providerInvoicesTable,
  type StoredAnswer,
} from "../schema/provider.ts";
import { checkAllInvoices } from "./check-all-invoices.ts";
import { checkInvoices } from "./check-invoices.ts";
import { knownInvoices, nextAskTime } from "./known-invoices.ts";
import { newReference, opened, useSandbox } from "./provider.fixture.ts";

useDatabase();
const sandbox = useSandbox();
const forced = { force: true };
const quiet = { callback: false };

describe("a stored response is used for a minute", () => {
  const now = new Date("2026-03-01T10:00:00.000Z");
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const paidAt = ago(500);
  const row = { providerPaymentId: "", amount: 4_000, paidAt: paidAt.toISOString() };
  const nothing: StoredAnswer = { rows: [], problems: [], failed: 0, pending: 0, readable: true };
  const problem = { code: "WRONG_CURRENCY" as const, providerPaymentId: "7", row: {} };
  type Kept = Partial<typeof providerInvoicesTable.$inferInsert>;

  /** A reference with an invoice for each argument, checked ten seconds ago and with the given columns. */
  async function keeping(...kept: Array<Kept & { answer?: StoredAnswer | null }>) {
    const reference = newReference();
    const ids: string[] = [];
    for (const of of kept) {
      const { id } = await opened(reference, 10_000);
      await cancelInvoices(reference);
      const plain = { asks: 3, endedAsk: 3, answeredAsk: 3, askedAt: ago(10), answeredAt: ago(10) };
      await db()
        .update(providerInvoicesTable)
        .set({ ...plain, answer: nothing, ...of })
        .where(eq(providerInvoicesTable.invoiceId, id));
      ids.push(id);
    }
    return { ids, answer: await checkInvoices(reference, now) };
  }

  test("for all invoices together, as old as the oldest, until the last may be checked again", async () => {
    const name = crypto.randomUUID();
    const { ids, answer } = await keeping(
      { answer: { ...nothing, rows: [{ ...row, providerPaymentId: name, wallet: "khan" }], failed: 1 } },
      { answer: { ...nothing, problems: [problem] }, answeredAt: ago(40), askedAt: ago(5) },
      { answer: { ...nothing, rows: [{ ...row, providerPaymentId: name }] }, askedAt: ago(20) },
    );
    expect(answer).toEqual({
      ...{ complete: true, failed: false, asked: 0, listed: [] },
      ...{ asOf: ago(40), retryAt: ago(-55) },
      rows: [{ providerPaymentId: name, invoiceId: ids[2] ?? "", amount: 4_000, paidAt }],
      problems: [{ ...problem, invoiceId: ids[1] ?? "" }],
    });
  });

  test.each([
    ["only failures", [{ answer: { ...nothing, failed: 1 } }], true, true],
    ["no attempt", [{}], true, false],
    ["failures and one under way", [{ answer: { ...nothing, failed: 2, pending: 1 } }], true, false],
    [
      "failures of one, one under way of another",
      [...[{ answer: { ...nothing, failed: 1 } }, { answer: { ...nothing, pending: 1 } }]],
      true,
      false,
    ],
    ["a failure and a payment", [{ answer: { ...nothing, failed: 1, rows: [row] } }], true, false],
    ["a failure and a riddle", [{ answer: { ...nothing, failed: 1, problems: [problem] } }], true, false],
    ["failures of one minute ago", [{ answer: { ...nothing, failed: 1 }, answeredAt: ago(60) }], true, true],
    ["failures of more", [{ answer: { ...nothing, failed: 1 }, answeredAt: ago(60.001) }], false, false],
    [
      "failures before an ask without answer",
      [...[{ answer: { ...nothing, failed: 1 }, answeredAsk: 2 }]],
      false,
      false,
    ],
    ["nothing yet of one", [{}, { answer: null, answeredAt: null, answeredAsk: 0 }], false, false],
  ])("as complete or not, as failed or not: %s", async (_, kept, complete, failed) => {
    const { answer } = await keeping(...kept);
    expectMatch(answer, { complete, failed, asked: 0, retryAt: ago(-50) });
    expect(answer.asOf === null).toBe(kept.some((of) => "answeredAt" in of && of.answeredAt === null));
  });

  test("and an invoice may be checked again after its minute, or immediately if it never was", () => {
    const asked = (askedAt: Date | null) => nextAskTime({ askedAt } as ProviderInvoiceRow, now);
    expect([null, ago(61), ago(60), ago(59.999), ago(0)].map(asked)).toEqual([
      ...[null, null, null, ago(-0.001), ago(-60)],
    ]);
  });
});

describe("checks run once a minute, one at a time", () => {
  afterEach(() => {
    mock.restore();
    setSystemTime();
  });

  /** Makes every `Bun.sleep` return at once with the clock moved on; returns the requested durations. */
  function hurried(): number[] {
    const waits: number[] = [];
    setSystemTime(new Date());
    spyOn(Bun, "sleep").mockImplementation(async (ms) => {
      waits.push(Number(ms));
      setSystemTime(Date.now() + Number(ms));
    });
    return waits;
  }

  test("a caller waiting for an endless check gives up when its lease must have expired", async () => {
    const reference = newReference();
    const { id } = await opened(reference, 10_000);
    await db().execute(sql`
      UPDATE payments.provider_invoices SET asks = asks + 1, lease_token = gen_random_uuid(),
             leased_until = now() + interval '1 hour' WHERE invoice_id = ${id}`);
    const waits = hurried();
    const answer = await checkAllInvoices(reference, new Date(), true);
    expect(answer).toMatchObject({ complete: false, asked: 0, rows: [], asOf: null, retryAt: null });
    expect(waits.slice(0, 3)).toEqual([20, 32, 51.2]);
    expect(Math.max(...waits)).toBe(400);
    const waited = waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeWithin(31_000, 31_500);
    expect(await sandbox.count("check")).toBe(0);
    expect((await knownInvoices(db(), reference)).map(({ asks }) => asks)).toEqual([1]);
  });

  test("without force an invoice is checked once a minute, and otherwise the last response is returned", async () => {
    const reference = newReference();
    const { providerId } = await opened(reference, 10_000);
    const start = new Date();
    const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);
    expect((await checkInvoices(reference, start)).asked).toBe(1);
    await sandbox.pay(providerId, quiet);
    expectMatch(await checkInvoices(reference, at(59)), {
      asked: 0,
      rows: [],
      asOf: start,
      retryAt: at(60),
    });
    expect(await checkInvoices(reference, at(60))).toMatchObject({
      asked: 1,
      rows: [{ amount: 10_000 }],
      retryAt: null,
    });
    expect(await checkInvoices(reference, at(61))).toMatchObject({
      asked: 0,
      complete: true,
      rows: [{ amount: 10_000 }],
    });
    expect(await sandbox.count("check")).toBe(2);
  });

  test("force checks immediately, and counts for the following minute", async () => {
    const reference = newReference();
    await opened(reference, 10_000);
    const now = new Date();
    await checkInvoices(reference, now);
    expect((await checkInvoices(reference, now, forced)).asked).toBe(1);
    expect((await checkInvoices(reference, now)).asked).toBe(0);
  });

  test("fifty forced checks at once cost two calls, and all see a payment made before they came", async () => {
    const reference = newReference();
    const { providerId } = await opened(reference, 10_000);
    await sandbox.told({ operation: "check", delayMs: 100 });
    const early = checkInvoices(reference, new Date(), forced);
    await Bun.sleep(50);
    await sandbox.pay(providerId, quiet);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => checkInvoices(reference, new Date(), forced)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ complete: true, rows: [{ amount: 10_000 }] });
    await early;
    expect(await sandbox.count("check")).toBe(2);
  });

  test("the same for independent instances", async () => {
    const reference = newReference();
    const { providerId } = await opened(reference, 10_000);
    await sandbox.told({ operation: "check", delayMs: 300 });
    const early = checkAllInvoices(reference, new Date(), true);
    await Bun.sleep(50);
    await sandbox.pay(providerId, quiet);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => checkAllInvoices(reference, new Date(), true)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ complete: true, rows: [{ amount: 10_000 }] });
    await early;
    expect(await sandbox.count("check")).toBeLessThan(9);
  });

  test("callers waiting for a failing check get unknown, without fifty more calls", async () => {
    const reference = newReference();
    await opened(reference, 10_000);
    await sandbox.told({ operation: "check", fail: 400, nextCalls: "all", delayMs: 0 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => checkInvoices(reference, new Date(), forced)),
    );
    expect(answers.some((answer) => answer.complete)).toBe(false);
    expect(await sandbox.count("check")).toBe(1);
  });

  test("the lease of a dead check expires and the next one follows", async () => {
    const reference = newReference();
    const invoice = await opened(reference, 10_000);
    const lease = (until: string) =>
      db().execute(sql`
        UPDATE payments.provider_invoices SET asks = asks + 1, lease_token = gen_random_uuid(),
               leased_until = now() + ${until}::interval WHERE invoice_id = ${invoice.id}`);
    await lease("-1 second");
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({ complete: true, asked: 1 });
    await lease("300 milliseconds");
    const start = Date.now();
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({ complete: true, asked: 1 });
    expect(Date.now() - start).toBeGreaterThan(200);
  });

  test("no connection of the pool is held during a call to the provider", async () => {
    const references = Array.from({ length: 30 }, newReference);
    for (const reference of references) await opened(reference, 1_000);
    await sandbox.told({ operation: "check", delayMs: 3_000, nextCalls: "all" });
    let answered = 0;
    const asking = Promise.all(
      references.map(async (reference) => {
        await checkInvoices(reference, new Date(), forced);
        answered += 1;
      }),
    );
    // If a check held a connection while the provider answers, it would stay in its transaction at least until the first answer.
    while ((await sandbox.count("check")) < references.length || (await inTransaction()) > 0) {
      expect(answered).toBe(0);
      await Bun.sleep(20);
    }
    expect(answered).toBe(0);
    await asking;
  });

  async function inTransaction(): Promise<number> {
    const [row] = await db().execute(
      sql`SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    return Number(row?.n);
  }

  test("the response of a check that outlived its lease does not undo a later one", async () => {
    const reference = newReference();
    const invoice = await opened(reference, 10_000);
    await sandbox.told({ operation: "check", delayMs: 2000 });
    const slow = checkInvoices(reference, new Date(), forced);
    const ran = { leasedUntil: sql`clock_timestamp() - interval '1 second'` };
    const held = and(
      eq(providerInvoicesTable.invoiceId, invoice.id),
      isNotNull(providerInvoicesTable.leaseToken),
    );
    // As soon as the slow check has its lease, however long it took to get it.
    while ((await db().update(providerInvoicesTable).set(ran).where(held).returning()).length === 0) {
      await Bun.sleep(10);
    }
    await sandbox.pay(invoice.providerId, quiet);
    expect((await checkInvoices(reference, new Date(), forced)).rows).toHaveLength(1);
    await slow;
    expect((await checkInvoices(reference, new Date())).rows).toHaveLength(1);
    const [row] = await db().select().from(invoicesTable).where(eq(invoicesTable.id, invoice.id));
    expect(row?.state).toBe("paid");
  });
});
