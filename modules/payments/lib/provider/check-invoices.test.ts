import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { holdsOf, openHoldReasons } from "../holds/list-holds.ts";
import { resolveHold } from "../holds/resolve-hold.ts";
import { cancelInvoices } from "../invoices/cancel-invoices.ts";
import { invoiceById, liveInvoice } from "../invoices/invoices.ts";
import { loggedOf } from "../ledger/money.fixture.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import { checkInvoices } from "./check-invoices.ts";
import { impatient, newReference, opened, reserve, useSandbox } from "./provider.fixture.ts";
import type { PaidRow } from "./provider-types.ts";

useDatabase();
const sandbox = useSandbox();
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
const forced = { force: true };
const quiet = { callback: false };
const amounts = (answer: { rows: Array<{ amount: number }> }) => answer.rows.map((row) => row.amount);

describe("what was paid", () => {
  test("unpaid is complete and has no rows", async () => {
    const reference = newReference();
    await opened(reference, 10_000);
    const now = new Date();
    expect(await checkInvoices(reference, now, forced)).toEqual({
      complete: true,
      rows: [],
      failed: false,
      asked: 1,
      problems: [],
      listed: [],
      asOf: now,
      retryAt: null,
    });
  });

  test("paid in full ends the invoice; its row keeps the id with its leading zero", async () => {
    const reference = newReference();
    const invoice = await opened(reference, 10_000);
    const { paymentIds } = await sandbox.pay(invoice.providerId, quiet);
    const answer = await checkInvoices(reference, new Date(), forced);
    expect(answer.rows[0]).toMatchObject({
      providerPaymentId: paymentIds[0] ?? "",
      invoiceId: invoice.id,
      amount: 10_000,
      kind: "P2P",
      payerBank: "050000",
    });
    expect(paymentIds[0]).toStartWith("0");
    expect((await invoiceById(db(), invoice.id))?.state).toBe("paid");
    expect(await liveInvoice(db(), reference)).toBeNull();
  });

  test("a response is stored completely, and its meaning is logged once", async () => {
    const reference = newReference();
    const at = new Date();
    const { id, providerId } = await opened(reference, 10_000, at);
    const [paid = ""] = (await sandbox.pay(providerId, { ...quiet, amount: 10_000 })).paymentIds;
    const [odd = ""] = (await sandbox.pay(providerId, { ...quiet, currency: "USD" })).paymentIds;
    await sandbox.pay(providerId, { ...quiet, status: "FAILED" });
    await sandbox.pay(providerId, { ...quiet, status: "NEW" });
    const now = later(1);
    const { rows, problems, listed, ...answer } = await checkInvoices(reference, now, forced);
    expect(answer).toEqual({
      ...{ complete: true, failed: false, asked: 1 },
      ...{ asOf: now, retryAt: null },
    });
    expect(listed).toHaveLength(4);
    const [{ paidAt, ...row }] = rows as [PaidRow];
    expect(problems).toMatchObject([{ code: "WRONG_CURRENCY", invoiceId: id, providerPaymentId: odd }]);
    const [problem] = problems;
    const [kept] = await db()
      .select()
      .from(providerInvoicesTable)
      .where(eq(providerInvoicesTable.invoiceId, id));
    const { invoiceId: _, ...told } = row;
    expect(kept).toMatchObject({ asks: 1, endedAsk: 1, answeredAsk: 1, leaseToken: null, leasedUntil: null });
    expectMatch(kept, { askedAt: now, answeredAt: now });
    expect(kept?.answer).toEqual({
      rows: [{ ...told, paidAt: paidAt.toISOString() }],
      problems: [{ code: "WRONG_CURRENCY", providerPaymentId: odd, row: problem?.row }],
      ...{ failed: 1, pending: 1, readable: true, listed },
    });
    const again = await checkInvoices(reference, later(2));
    expect(again).toEqual({
      ...{ ...answer, asked: 0, rows, problems, listed },
      retryAt: new Date(now.getTime() + 60_000),
    });
    await checkInvoices(reference, later(3), forced);
    const [waiting] = await holdsOf(db(), reference);
    expectMatch(waiting, {
      ...{ reason: "WRONG_CURRENCY", reference, openedAt: now },
      facts: { providerPaymentId: odd, invoiceId: id, currency: "USD", status: "PAID", row: problem?.row },
    });
    const log = await loggedOf("invoice", id);
    expect(log.filter(({ at }) => at.getTime() >= now.getTime())).toEqual([
      {
        ...{ action: "invoice.paid", at: now, userId: null },
        data: { reference, sum: 10_000, payments: [paid] },
      },
    ]);
    expect((await invoiceById(db(), id))?.state).toBe("paid");
    const [ended] = await db().select().from(invoicesTable).where(eq(invoicesTable.id, id));
    expect(ended?.endedAt).toEqual(now);
  });

  test("many invoices are all checked, each once", async () => {
    const reference = newReference();
    for (let n = 0; n < 5; n++) {
      await opened(reference, 1_000 + n);
      await cancelInvoices(reference);
    }
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({ complete: true, asked: 5 });
    expect(await sandbox.count("check")).toBe(5);
  });

  test.each([
    ["short", [{ amount: 4_000 }], [4_000], "open"],
    ["in two parts", [{ amount: 4_000 }, {}], [4_000, 6_000], "paid"],
    ["over", [{ amount: 15_000 }], [15_000], "paid"],
    ["twice", [{}, {}], [10_000, 10_000], "paid"],
  ])("%s is reported row by row", async (_, payments, rows, state) => {
    const reference = newReference();
    const invoice = await opened(reference, 10_000);
    for (const payment of payments) await sandbox.pay(invoice.providerId, { ...quiet, ...payment });
    const answer = await checkInvoices(reference, new Date(), forced);
    expect(amounts(answer)).toEqual(rows);
    expect((await invoiceById(db(), invoice.id))?.state).toBe(state as "open" | "paid");
  });

  test("every invoice that the reference ever had is checked: a cancelled one paid after all, and the live one", async () => {
    const reference = newReference();
    const first = await opened(reference, 10_000);
    await cancelInvoices(reference);
    const second = await opened(reference, 12_000);
    await sandbox.pay(first.providerId, quiet);
    await sandbox.pay(second.providerId, quiet);
    const answer = await checkInvoices(reference, new Date(), forced);
    expect(answer).toMatchObject({ complete: true, asked: 2 });
    expect(amounts(answer)).toEqual([10_000, 12_000]);
    expect((await invoiceById(db(), first.id))?.state).toBe("paid");
  });

  test("payments of another reference are not Midman's", async () => {
    const [mine, theirs] = [newReference(), newReference()];
    await opened(mine, 10_000);
    await sandbox.pay((await opened(theirs, 10_000)).providerId, quiet);
    expect((await checkInvoices(mine, new Date(), forced)).rows).toEqual([]);
  });

  test("numbers instead of strings, and other names of fee and kind, mean the same", async () => {
    const reference = newReference();
    await sandbox.told({ dialect: "b" });
    await sandbox.pay((await opened(reference, 10_000)).providerId, quiet);
    expect((await checkInvoices(reference, new Date(), forced)).rows[0]).toMatchObject({
      amount: 10_000,
      kind: "P2P",
    });
  });

  test("only failures count as failed; a pending attempt or a payment among them does not", async () => {
    const reference = newReference();
    const { providerId } = await opened(reference, 10_000);
    await sandbox.pay(providerId, { ...quiet, status: "FAILED" });
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({
      complete: true,
      failed: true,
      rows: [],
    });
    await sandbox.pay(providerId, { ...quiet, status: "NEW" });
    expect((await checkInvoices(reference, new Date(), forced)).failed).toBe(false);
    await sandbox.pay(providerId, quiet);
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({
      failed: false,
      rows: [{ amount: 10_000 }],
    });
  });
});

describe("what a person must examine", () => {
  test.each([
    ["WRONG_CURRENCY", { currency: "USD" }],
    ["FRACTIONAL_AMOUNT", { amount: 9_999.5 }],
    ["PAYMENT_REVERSED", { status: "REFUNDED" }],
    ["UNKNOWN_STATUS", { status: "PARTIAL" }],
  ])(
    "%s is not booked, is reported once as a task, and stays until a person has resolved it",
    async (code, how) => {
      const reference = newReference();
      const { providerId } = await opened(reference, 10_000);
      const { paymentIds } = await sandbox.pay(providerId, { ...quiet, ...how });
      for (let i = 0; i < 2; i++) {
        const answer = await checkInvoices(reference, new Date(), forced);
        expect(answer).toMatchObject({ complete: true, rows: [], failed: false });
        expect(answer.problems.map((problem) => [problem.code as string, problem.providerPaymentId])).toEqual(
          [[code, paymentIds[0] ?? ""]],
        );
      }
      const waiting = (await holdsOf(db(), reference)).filter(({ closedAt }) => closedAt === null);
      expect(waiting).toHaveLength(1);
      expect(JSON.stringify(waiting)).not.toContain("account_number");
      const id = waiting[0]?.id ?? 0;
      const by = { userId: 1, relatedAdminIds: [1], keepsRight: async () => true };
      const resolution = {
        id,
        by,
        outcome: "dismissed" as const,
        note: "sent back by its bank",
        at: new Date(),
      };
      for (const state of ["closed", "repeated"]) {
        expect(await runInTransaction((tx) => resolveHold(tx, resolution))).toMatchObject({
          ok: true,
          state,
        });
      }
      expect(await openHoldReasons(db(), reference)).toEqual([]);
      // The provider still lists the row: the administrators' decision about it is kept.
      await checkInvoices(reference, later(3), forced);
      expect(await openHoldReasons(db(), reference)).toEqual([]);
    },
  );

  test("an unreadable row makes everything unknown until a person has looked at it", async () => {
    const reference = newReference();
    const { providerId } = await opened(reference, 10_000);
    const { paymentIds } = await sandbox.pay(providerId, quiet);
    await db().execute(sql`UPDATE sandbox.payments SET status = '' WHERE id = ${paymentIds[0] ?? ""}`);
    const asked = async () => (await checkInvoices(reference, new Date(), forced)).complete;
    expect([await asked(), await asked()]).toEqual([false, false]);
    const [{ id } = { id: 0 }] = await holdsOf(db(), reference);
    const by = { userId: 1, relatedAdminIds: [1], keepsRight: async () => true };
    const resolution = {
      id,
      by,
      outcome: "dismissed" as const,
      note: "it was a test of the bank's",
      at: new Date(),
    };
    await runInTransaction((tx) => resolveHold(tx, resolution));
    expect(await asked()).toBe(true);
    expect((await checkInvoices(reference, new Date())).complete).toBe(true);
  });

  test("an odd but readable row makes nothing unknown, nor does a resolved one", async () => {
    const reference = newReference();
    const { providerId } = await opened(reference, 10_000);
    const { paymentIds } = await sandbox.pay(providerId, quiet);
    await db().execute(sql`UPDATE sandbox.payments SET amount = 0 WHERE id = ${paymentIds[0] ?? ""}`);
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({
      ...{ complete: true, problems: [{ code: "ODD_ROW" }] },
    });
    expect((await checkInvoices(reference, new Date())).complete).toBe(true);
    await sandbox.pay(providerId, { ...quiet, currency: "USD" });
    const unread = (await sandbox.pay(providerId, quiet)).paymentIds[0] ?? "";
    await db().execute(sql`UPDATE sandbox.payments SET status = '' WHERE id = ${unread}`);
    expect((await checkInvoices(reference, new Date(), forced)).complete).toBe(false);
    expect((await checkInvoices(reference, new Date())).complete).toBe(false);
    for (const { id, reason } of await holdsOf(db(), reference)) {
      const by = { userId: 1, relatedAdminIds: [1], keepsRight: async () => true };
      const resolution = { id, by, outcome: "dismissed" as const, note: "looked at", at: new Date() };
      if (reason === "ODD_ROW") await runInTransaction((tx) => resolveHold(tx, resolution));
    }
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({
      ...{ complete: true, problems: [{}, {}, {}] },
    });
  });
});

describe("unknown is never treated as unpaid", () => {
  test.each([
    ["fails", { fail: 500 }],
    ["answers garbage", { garbage: "html" }],
    ["answers another shape", { garbage: "shape" }],
    ["stays silent", { delayMs: 600 }],
    ["refuses", { fail: 400, error: "PERMISSION_DENIED" }],
  ])("a provider that %s makes the check incomplete and keeps the known rows", async (_, act) => {
    const reference = newReference();
    const { providerId } = await opened(reference, 10_000);
    await sandbox.pay(providerId, { ...quiet, amount: 4_000 });
    const before = later(-30);
    await checkInvoices(reference, before, forced);
    if ("delayMs" in act) impatient();
    await sandbox.told({ operation: "check", nextCalls: "all", ...act });
    expectMatch(await checkInvoices(reference, new Date(), forced), {
      complete: false,
      asked: 1,
      rows: [{ amount: 4_000 }],
      asOf: before,
    });
    expect((await checkInvoices(reference, later(1))).complete).toBe(false);
    await sandbox.told({ reset: true });
    expect(await checkInvoices(reference, later(2), forced)).toMatchObject({
      complete: true,
      rows: [{ amount: 4_000 }],
    });
  });

  test("one unknown among several makes the whole incomplete", async () => {
    const reference = newReference();
    await opened(reference, 10_000);
    await cancelInvoices(reference);
    await opened(reference, 10_000);
    await sandbox.told({ operation: "check", garbage: "shape" });
    expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({
      complete: false,
      asked: 2,
      asOf: null,
    });
  });

  test("without a provider nothing is known", async () => {
    const reference = newReference();
    await opened(reference, 10_000);
    overrideConfig({ ALLOW_SANDBOX: false });
    try {
      expect(await checkInvoices(reference, new Date(), forced)).toMatchObject({ complete: false, rows: [] });
    } finally {
      overrideConfig({ ALLOW_SANDBOX: true });
    }
  });

  test("a reference without invoices has nothing to be unknown", async () => {
    const reference = newReference();
    expect(await checkInvoices(reference, new Date())).toMatchObject({
      complete: true,
      asked: 0,
      asOf: null,
    });
    await reserve(reference, 10_000);
    expect(await checkInvoices(reference, new Date())).toMatchObject({
      complete: true,
      asked: 0,
      asOf: null,
    });
  });
});
