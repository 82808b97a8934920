import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { statementsWaiting } from "../../../../tests/support/database/held-locks.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";
import { lockReference, readReceivedAmount } from "../ledger/balances.ts";
import {
  at,
  audited,
  due,
  expectProven,
  first,
  heldBy,
  holding,
  later,
  ledgerLinesOf,
  loggedOf,
  newBankReference,
  newReference,
  paid,
} from "../ledger/money.fixture.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { markPayoutSent } from "../payouts/mark-payout-sent.ts";
import { payoutsOf } from "../payouts/payouts.ts";
import { payerBanks } from "../provider/payer-banks.ts";
import type { PaidRow } from "../provider/provider-types.ts";
import { paymentsOf } from "./list-payments.ts";
import { paymentKey } from "./payment-key.ts";
import { recordPayments } from "./record-payments.ts";

useDatabase();

const booking = (reference: number, owed: number, ...rows: PaidRow[]) =>
  runInTransaction((tx) => recordPayments(tx, { reference, rows, owed, at }));

describe("booking PAID rows", () => {
  test("a payment in full goes to the trade's escrow", async () => {
    const reference = newReference();
    const row = paid(105_000);
    const done = await booking(reference, 105_000, row);
    expect(done).toEqual({
      booked: [row],
      matched: [],
      differing: [],
      held: 105_000,
      excess: 0,
      refunds: [],
    });
    expect(await ledgerLinesOf(reference)).toEqual(["provider:qpay 105000", `escrow:${reference} -105000`]);
  });

  test("a payment is stored with everything the provider reports, and its log entry shows how it divides", async () => {
    const reference = newReference();
    const told = { paidAt: later(-5), wallet: "khanbank", kind: "P2P", payerBank: "050000" };
    const [row, bare] = [paid(60, told), paid(70)];
    await booking(reference, 100, row, bare);
    const byHand = { handReference: null, proposedBy: null, confirmedBy: null, matchedAt: null };
    const nothingTold = { wallet: null, kind: null, payerBank: null };
    const neverChanged = { proposedAt: null, sameAs: null, takenBackAt: null };
    const keyOf = ({ providerPaymentId }: PaidRow) => ({
      providerPaymentKey: paymentKey(providerPaymentId),
      ...neverChanged,
    });
    const kept = await paymentsOf(db(), reference);
    const ids = kept.map(({ id }) => id);
    expect(kept).toEqual([
      {
        ...{ ...row, ...told, ...byHand, ...keyOf(row), reference, id: ids[0] ?? 0 },
        ...{ toEscrow: 60, toSuspense: 0, bookedAt: at },
      },
      {
        ...{ ...bare, ...byHand, ...nothingTold, ...keyOf(bare), reference, id: ids[1] ?? 0 },
        ...{ toEscrow: 40, toSuspense: 30, bookedAt: at },
      },
    ]);
    expect(await loggedOf("payment", ids[1] ?? 0)).toEqual([
      {
        ...{ action: "payment.booked", at, userId: null },
        data: {
          ...{ reference, amount: 70, toEscrow: 40, toSuspense: 30 },
          ...{ providerPaymentId: bare.providerPaymentId },
          ...{ handReference: null, proposedBy: null, confirmedBy: null },
        },
      },
    ]);
  });

  test("the bank of a payment is stored with it, for its refund", async () => {
    const reference = newReference();
    await booking(
      reference,
      100,
      paid(60, { payerBank: "050000" }),
      paid(40, { payerBank: "150000" }),
      paid(5, { payerBank: "320000" }),
      paid(1),
    );
    const escrow = await due(reference, "refund", 100);
    const refunds = await payoutsOf(db(), reference);
    const banks = await payerBanks(db(), refunds);
    const [excess, nameless] = refunds.filter(({ source }) => source !== "escrow");
    expect(banks.get(escrow.id)?.sort()).toEqual(["050000", "150000"]);
    expect(banks.get(excess?.id ?? 0)).toEqual(["320000"]);
    expect(banks.get(nameless?.id ?? 0)).toEqual([]);
  });

  test("the same row again, alone or among others, books nothing more", async () => {
    const reference = newReference();
    const [one, two] = [paid(40), paid(60)];
    await booking(reference, 100, one);
    const again = await booking(reference, 100, one, one);
    expect(again).toMatchObject({ booked: [], differing: [], held: 40, excess: 0 });
    const both = await booking(reference, 100, two, one);
    expectMatch(both, { booked: [two], differing: [], held: 100, excess: 0 });
    expect(await readReceivedAmount(db(), reference)).toBe(100);
  });

  test("a part payment is held and waits for the rest", async () => {
    const reference = newReference();
    expect(await booking(reference, 100, paid(30))).toMatchObject({ held: 30, excess: 0 });
    expect(await booking(reference, 100, paid(70))).toMatchObject({ held: 100, excess: 0 });
  });

  test("what exceeds the trade goes to suspense, with its refund due immediately", async () => {
    const reference = newReference();
    const done = await booking(reference, 100, paid(130));
    expect(done).toMatchObject({ held: 100, excess: 30 });
    const [refund] = await payoutsOf(db(), reference);
    expect(done.refunds).toEqual(refund === undefined ? [] : [refund]);
    expectMatch(refund, {
      kind: "refund",
      amount: 30,
      fee: 0,
      state: "due",
      recipientId: null,
      destination: null,
      dueAt: later(180),
    });
    const paymentId = Number(refund?.source.split(":")[1]);
    expect(await ledgerLinesOf(reference)).toEqual([
      "provider:qpay 130",
      `escrow:${reference} -100`,
      `suspense:${paymentId} -30`,
    ]);
    expect(await audited("payment", paymentId)).toEqual(["payment.booked"]);
    expect(await audited("refund", refund?.id ?? 0)).toEqual(["refund.due"]);
  });

  test("a double payment goes to suspense completely, whichever row comes first", async () => {
    const reference = newReference();
    const [one, two] = [paid(100, { paidAt: later(2) }), paid(100, { paidAt: later(1) })];
    const done = await booking(reference, 100, one, two);
    expectMatch(done, { booked: [two, one], held: 100, excess: 100 });
    expect((await payoutsOf(db(), reference)).map((refund) => refund.amount)).toEqual([100]);
  });

  test("late money for an ended trade never belongs to the trade", async () => {
    const reference = newReference();
    expect(await booking(reference, 0, paid(100))).toMatchObject({ held: 0, excess: 100 });
  });

  test("money after a part was paid out still goes to suspense: what was sent had been received", async () => {
    const reference = await holding(100);
    await due(reference, "refund", 40);
    const { id } = await due(reference, "payout", 50, 10);
    await runInTransaction((tx) => approvePayoutRecord(tx, { id, at, by: first }));
    await runInTransaction((tx) =>
      markPayoutSent(tx, { id, bankReference: newBankReference(), at, by: first }),
    );
    expect(await heldBy(reference)).toBe(40);
    expect(await booking(reference, 100, paid(60))).toMatchObject({ held: 40, excess: 60 });
  });

  test("a row that was booked with another amount or for another trade is reported, not booked", async () => {
    const [reference, other] = [newReference(), newReference()];
    const row = paid(100);
    await booking(reference, 100, row);
    const grown = { ...row, amount: 200 };
    expectMatch(await booking(reference, 300, grown), { booked: [], differing: [grown], held: 100 });
    expectMatch(await booking(other, 100, row), { booked: [], differing: [row], held: 0 });
    const own = paid(100);
    expectMatch(await booking(other, 100, row, own), {
      ...{ booked: [own], differing: [row], held: 100, excess: 0 },
    });
  });

  test("rows with the same time are booked in the order of their ids", async () => {
    for (const turn of [(rows: PaidRow[]) => rows, (rows: PaidRow[]) => rows.toReversed()]) {
      const name = crypto.randomUUID();
      const rows = ["1", "2"].map((end) => paid(10, { providerPaymentId: `${name}-${end}` }));
      expectMatch(await booking(newReference(), 20, ...turn(rows)), { booked: rows });
    }
  });

  test("an empty list changes nothing", async () => {
    expect(await booking(newReference(), 100)).toMatchObject({ booked: [], held: 0, excess: 0 });
  });

  test.each([
    ["0077001", "77001"],
    ["6F9619FF-8B86-D011-B42D-00CF4FC964FF", "6f9619ff-8b86-d011-b42d-00cf4fc964ff"],
    ["7f9619ff-8b86-d011-b42d-00cf4fc964ff", "7f9619ff8b86d011b42d00cf4fc964ff"],
  ])("a provider's id is stored as text, and %s is one payment with %s", async (first, second) => {
    const reference = newReference();
    const one = paid(10, { providerPaymentId: first });
    const other = { ...one, providerPaymentId: second };
    expect(await booking(reference, 20, one, other)).toMatchObject({ held: 10, excess: 0 });
    expect(await booking(reference, 20, other)).toMatchObject({ booked: [], differing: [], held: 10 });
  });
});

describe("booking in parallel", () => {
  test("already booked rows return without waiting", async () => {
    const reference = newReference();
    const row = paid(100);
    await booking(reference, 100, row);
    const [locked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const elsewhere = runInTransaction(async (tx) => {
      await lockReference(tx, reference);
      locked.resolve();
      await answered.promise;
    });
    await locked.promise;
    const again = runInTransaction(async (tx) => {
      await tx.execute(sql`SET LOCAL lock_timeout = '1s'`);
      return recordPayments(tx, { reference, rows: [row], owed: 100, at });
    });
    const answer = await again.finally(answered.resolve);
    await elsewhere;
    expect(answer).toMatchObject({ booked: [], held: 100 });
  });

  test("a row that another trade takes meanwhile is reported, and does not count towards what is owed", async () => {
    const [reference, other] = [newReference(), newReference()];
    const [row, next] = [paid(100), paid(100, { paidAt: later(1) })];
    const [taken, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const elsewhere = runInTransaction(async (tx) => {
      await recordPayments(tx, { reference: other, rows: [row], owed: 100, at });
      taken.resolve();
      await waited.promise;
    });
    await taken.promise;
    const booked = booking(reference, 100, row, next);
    await waitUntil(async () => (await statementsWaiting()) > 0);
    waited.resolve();
    await elsewhere;
    expectMatch(await booked, { booked: [next], differing: [row], held: 100, excess: 0 });
  });

  test("fifty bookings of the same rows book them once", async () => {
    const reference = newReference();
    const rows = [paid(60), paid(60), paid(10)];
    const done = await Promise.all(Array.from({ length: 50 }, () => booking(reference, 100, ...rows)));
    expect(done.flatMap((one) => one.booked)).toHaveLength(3);
    expect(done.reduce((sum, one) => sum + one.excess, 0)).toBe(30);
    expect(done.every((one) => one.held === 100)).toBe(true);
    expect(await ledgerLinesOf(reference)).toHaveLength(7);
    expect(await payoutsOf(db(), reference)).toHaveLength(2);
  });

  test("fifty different rows at once never put more into escrow than is owed", async () => {
    const reference = newReference();
    const done = await Promise.all(Array.from({ length: 50 }, () => booking(reference, 100, paid(30))));
    expect(done.reduce((sum, one) => sum + one.excess, 0)).toBe(50 * 30 - 100);
    expect(await heldBy(reference)).toBe(100);
  });
});

test("finally the ledger balances", expectProven);
