import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { statementsWaiting } from "../../../../tests/support/database/held-locks.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";
import { openHoldReasons } from "../holds/list-holds.ts";
import {
  at,
  expectProven,
  first,
  heldBy,
  later,
  ledgerLinesOf,
  loggedOf,
  newReference,
  paidOnInvoice,
  second,
} from "../ledger/money.fixture.ts";
import { payoutsOf } from "../payouts/payouts.ts";
import type { PaidRow } from "../provider/provider-types.ts";
import { paymentsOf } from "./list-payments.ts";
import { paymentKey } from "./payment-key.ts";
import { type ManualPayment, recordManualPayment } from "./record-manual-payment.ts";
import { recordPayments } from "./record-payments.ts";

useDatabase();

let slips = 0;
const slip = () => `slip ${++slips}`;
const byHand = (reference: number, over: Partial<ManualPayment> = {}) =>
  runInTransaction((tx) =>
    recordManualPayment(tx, {
      reference,
      amount: 100,
      owed: 100,
      bankReference: slip(),
      proposedBy: first.userId,
      proposedAt: at,
      confirmedBy: second.userId,
      relatedAdminIds: second.relatedAdminIds,
      at,
      ...over,
    }),
  );
const reported = async (reference: number, amount: number, over: Partial<PaidRow> = {}) => {
  const row = await paidOnInvoice(reference, amount, over);
  return runInTransaction((tx) => recordPayments(tx, { reference, rows: [row], owed: 100, at }));
};

describe("a manual confirmation", () => {
  test("is money immediately, and is matched with the provider's later row without counting twice", async () => {
    const reference = newReference();
    const hand = await byHand(reference);
    expect(hand).toMatchObject({ ok: true, repeated: false, held: 100, excess: 0 });
    const told = { paidAt: later(-9), wallet: "khanbank", kind: "P2P", payerBank: "050000" };
    const row = await paidOnInvoice(reference, 100, told);
    const reporting = { reference, rows: [row], owed: 100, at: later(30), by: { userId: null } };
    expectMatch(await runInTransaction((tx) => recordPayments(tx, reporting)), {
      ...{ booked: [], matched: [row], held: 100, excess: 0 },
    });
    expect(await runInTransaction((tx) => recordPayments(tx, reporting))).toMatchObject({
      ...{ booked: [], matched: [], held: 100 },
    });
    expect(await ledgerLinesOf(reference)).toEqual(["provider:qpay 100", `escrow:${reference} -100`]);
    const [{ id, handReference } = { id: 0, handReference: "" }, ...others] = await paymentsOf(
      db(),
      reference,
    );
    expect(others).toEqual([]);
    const people = { proposedBy: first.userId, confirmedBy: second.userId };
    const parts = { reference, amount: 100, toEscrow: 100, toSuspense: 0, handReference, ...people };
    expect(await paymentsOf(db(), reference)).toEqual([
      {
        ...{ id, ...parts, ...row, ...told, bookedAt: at, matchedAt: later(30), proposedAt: at },
        ...{ providerPaymentKey: paymentKey(row.providerPaymentId), sameAs: null, takenBackAt: null },
      },
    ]);
    expect(await loggedOf("payment", id)).toEqual([
      {
        ...{ action: "payment.booked", at, userId: second.userId },
        data: { ...parts, providerPaymentId: null },
      },
      {
        ...{ action: "payment.matched", at: later(30), userId: null },
        data: { reference, amount: 100, providerPaymentId: row.providerPaymentId, handReference },
      },
    ]);
  });

  test("matches a row with few fields", async () => {
    const reference = newReference();
    await byHand(reference);
    await reported(reference, 100);
    expect(await paymentsOf(db(), reference)).toMatchObject([{ wallet: null, kind: null, payerBank: null }]);
  });

  test("of more than is owed makes a refund of the rest due", async () => {
    const reference = newReference();
    const hand = await byHand(reference, { amount: 130 });
    expect(hand).toMatchObject({ ok: true, held: 100, excess: 30 });
    const refunds = await payoutsOf(db(), reference);
    expect(refunds.map(({ amount, dueAt }) => [amount, dueAt])).toEqual([[30, later(180)]]);
    expect(hand.ok && hand.refunds).toEqual(refunds);
  });

  test("matches one row only: a second payment of the same amount is excess", async () => {
    const reference = newReference();
    await byHand(reference);
    await reported(reference, 100);
    expect(await reported(reference, 100)).toMatchObject({ matched: [], excess: 100, held: 100 });
  });

  test("does not match a row that another trade takes meanwhile", async () => {
    const [reference, other] = [newReference(), newReference()];
    await byHand(reference);
    const row = await paidOnInvoice(reference, 100, { paidAt: later(-9) });
    const [taken, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const elsewhere = runInTransaction(async (tx) => {
      await recordPayments(tx, { reference: other, rows: [row], owed: 100, at });
      taken.resolve();
      await waited.promise;
    });
    await taken.promise;
    const meets = runInTransaction((tx) => recordPayments(tx, { reference, rows: [row], owed: 100, at }));
    await waitUntil(async () => (await statementsWaiting()) > 0);
    waited.resolve();
    await elsewhere;
    expectMatch(await meets, { booked: [], matched: [], differing: [row], held: 100, excess: 0 });
    expect(await openHoldReasons(db(), reference)).toEqual(["PAYMENT_DIFFERS"]);
  });

  const others: Array<[string, Partial<PaidRow>]> = [
    ["was paid after it was proposed", { paidAt: later(1) }],
    ["is of an invoice that is none of the trade's", { invoiceId: crypto.randomUUID() }],
  ];
  test.each(others)(
    "does not match a payment of its amount that %s: suspense, a refund, and a hold",
    async (_, over) => {
      const reference = newReference();
      await byHand(reference);
      expect(await reported(reference, 100, over)).toMatchObject({ matched: [], excess: 100, held: 100 });
      const [refund, ...more] = await payoutsOf(db(), reference);
      expect([refund?.amount, refund?.state, more]).toEqual([100, "due", []]);
      expect(await openHoldReasons(db(), reference)).toEqual(["SECOND_PAYMENT"]);
    },
  );

  test("does not match a payment of an invoice issued after the proposal", async () => {
    const reference = newReference();
    await byHand(reference, { proposedAt: later(-30) });
    expect(await reported(reference, 100, { paidAt: later(-40) })).toMatchObject({
      matched: [],
      excess: 100,
    });
  });

  test("does not match a payment made after the trade had ended", async () => {
    const reference = newReference();
    await byHand(reference);
    const row = await paidOnInvoice(reference, 100, { paidAt: later(-2) });
    const booking = { reference, rows: [row], owed: 0, endedAt: later(-3), at };
    expect(await runInTransaction((tx) => recordPayments(tx, booking))).toMatchObject({
      matched: [],
      excess: 100,
      held: 100,
    });
  });

  test("does not match a row of another amount", async () => {
    const reference = newReference();
    await byHand(reference, { amount: 40 });
    expect(await reported(reference, 60)).toMatchObject({ matched: [], held: 100, excess: 0 });
  });

  test("with the same bank reference and content returns the first", async () => {
    const reference = newReference();
    const bankReference = slip();
    await byHand(reference, { bankReference });
    const again = await byHand(reference, { bankReference: ` ${bankReference.toUpperCase()} ` });
    expect(again).toMatchObject({ ok: true, repeated: true, held: 100 });
  });

  const refusals: Array<[string, string, (reference: number) => Promise<unknown>]> = [
    ["half a tugrik", "AMOUNT_INVALID", (reference) => byHand(reference, { amount: 1.5 })],
    ["nothing", "AMOUNT_INVALID", (reference) => byHand(reference, { amount: 0 })],
    [
      "one person twice",
      "FOUR_EYES_REQUIRED",
      (reference) => byHand(reference, { confirmedBy: first.userId }),
    ],
    [
      "one pair of eyes",
      "FOUR_EYES_RELATED",
      (reference) => byHand(reference, { relatedAdminIds: [second.userId, first.userId] }),
    ],
    [
      "a slip that another trade used",
      "BANK_REFERENCE_USED",
      async (reference) => {
        const bankReference = slip();
        await byHand(newReference(), { bankReference });
        return byHand(reference, { bankReference });
      },
    ],
  ];
  test("with the same bank reference and another amount is refused: BANK_REFERENCE_USED", async () => {
    const reference = newReference();
    const bankReference = slip();
    expect(await byHand(reference, { bankReference, amount: 1 })).toMatchObject({ ok: true, held: 1 });
    const other = await byHand(reference, { bankReference, amount: 2 });
    expect(other).toEqual({ ok: false, code: "BANK_REFERENCE_USED" });
    expect(await heldBy(reference)).toBe(1);
  });

  for (const [what, code, attempt] of refusals) {
    test(`with ${what} is refused: ${code}`, async () => {
      const reference = newReference();
      expect(await attempt(reference)).toEqual({ ok: false, code });
      expect(await heldBy(reference)).toBe(0);
    });
  }

  test("of an amount that the provider already reported is refused: it is the same money", async () => {
    const reference = newReference();
    await reported(reference, 100);
    expect(await byHand(reference)).toEqual({ ok: false, code: "PAYMENT_ALREADY_BOOKED" });
  });

  test("and the provider's row at the same moment are one amount of money", async () => {
    for (let round = 0; round < 10; round++) {
      const reference = newReference();
      await Promise.all([byHand(reference), reported(reference, 100)]);
      expect(await heldBy(reference)).toBe(100);
      const rows = await db().execute(sql`SELECT 1 FROM payments.payments WHERE reference = ${reference}`);
      expect(rows).toHaveLength(1);
    }
  });
});

test("finally the ledger balances", expectProven);
