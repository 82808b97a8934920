import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import {
  at,
  due,
  expectProven,
  first,
  holding,
  later,
  ledgerLinesOf,
  newBankReference,
  newReference,
  outcome,
  refusedBy,
  second,
} from "../ledger/money.fixture.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { payoutsOf } from "../payouts/payouts.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "../payouts/resolve-unknown-payout.ts";
import { paymentsOf } from "../received/list-payments.ts";
import { bookHeldRow, undoHeldPayment } from "./held-money.ts";
import type { HoldResolution } from "./hold-reasons.ts";
import { holdsOf, openHoldReasons } from "./list-holds.ts";
import { clearHolds, type NewHold, openHolds } from "./open-holds.ts";
import { needsSecondPerson, resolutionsOf, resolveHold } from "./resolve-hold.ts";
import type { Hold } from "./schema.ts";

useDatabase();

const third = { userId: 903, relatedAdminIds: [903], keepsRight: async () => true };
const related = { userId: 904, relatedAdminIds: [904, first.userId], keepsRight: async () => true };

async function open(reference: number, over: Partial<NewHold> = {}, when = at): Promise<Hold> {
  const hold = { reference, reason: "ODD_ROW" as const, subject: "payment:1", facts: {}, ...over };
  await runInTransaction((tx) => openHolds(tx, [hold], when));
  const all = await holdsOf(db(), reference);
  return all.at(-1) as Hold;
}
const resolve = (
  { id }: Hold,
  by: typeof first,
  wanted: HoldResolution = "dismissed",
  note = "looked at the merchant portal",
) => runInTransaction((tx) => resolveHold(tx, { id, outcome: wanted, note, by, at: later(5) }));

/** Waits until a statement waits for another transaction's row lock. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const [row] = await db().execute<{ waits: boolean }>(sql`
      SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')) AS waits`);
    if (row?.waits) return;
    await Bun.sleep(10);
  }
}

describe("a hold", () => {
  test("with one reason about one subject is one, and takes the latest facts", async () => {
    const reference = newReference();
    await open(reference, { facts: { amount: "1" } });
    const again = await open(reference, { facts: { amount: "2" }, figures: "2" }, later(1));
    expect(await holdsOf(db(), reference)).toHaveLength(1);
    expectMatch(again, { facts: { amount: "2" }, figures: "2", openedAt: at });
    await open(reference, { subject: "payment:2" });
    await open(reference, { reason: "WRONG_CURRENCY" });
    expect(await openHoldReasons(db(), reference)).toEqual(["ODD_ROW", "WRONG_CURRENCY"]);
    expect(await openHoldReasons(db(), newReference())).toEqual([]);
  });

  test("that a person closed stays closed for the same figures, and reopens for others", async () => {
    const reference = newReference();
    const hold = await open(reference, { figures: "100" });
    expect(await resolve(hold, first)).toMatchObject({ ok: true, state: "closed" });
    await open(reference, { figures: "100" });
    expect(await openHoldReasons(db(), reference)).toEqual([]);
    await open(reference, { figures: "200" });
    expect(await openHoldReasons(db(), reference)).toEqual(["ODD_ROW"]);
  });

  test("that two people just closed is not reopened by a response that waited for them", async () => {
    const reference = await holding(100);
    const hold = await open(reference, { figures: "100" });
    expect(await resolve(hold, first)).toMatchObject({ ok: true, state: "proposed" });
    const closed = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const closing = runInTransaction(async (tx) => {
      const input = { id: hold.id, outcome: "dismissed" as const, note: "seen", by: second, at: later(5) };
      expect(await resolveHold(tx, input)).toMatchObject({ ok: true, state: "closed" });
      closed.resolve();
      await commit.promise;
    });
    await closed.promise;
    const answered = open(reference, { figures: "100" });
    await untilSomebodyWaits();
    commit.resolve();
    await Promise.all([closing, answered]);
    expect(await openHoldReasons(db(), reference)).toEqual([]);
  });

  test("that a person closed reopens if the provider's next response would end it", async () => {
    const reference = newReference();
    const silent = { reason: "CHECK_UNANSWERED" as const, subject: "invoice:1" };
    await resolve(await open(reference, silent), first);
    await open(reference, silent);
    expect(await openHoldReasons(db(), reference)).toEqual(["CHECK_UNANSWERED"]);
  });

  test("that the provider cleared reopens when it is silent again", async () => {
    const reference = newReference();
    const silent = { reason: "CHECK_UNANSWERED" as const, subject: "invoice:1" };
    for (let round = 0; round < 2; round++) {
      await open(reference, silent);
      expect(await openHoldReasons(db(), reference)).toEqual(["CHECK_UNANSWERED"]);
      expect(await runInTransaction((tx) => clearHolds(tx, { reference, ...silent }, later(1)))).toBe(1);
    }
    expect(await holdsOf(db(), reference)).toMatchObject([{ outcome: "cleared" }, { outcome: "cleared" }]);
  });

  test("stops every outgoing step of its trade and of no other", async () => {
    const [held, free] = [await holding(100), await holding(100)];
    const [payout, other] = [await due(held, "payout", 90, 10), await due(free, "payout", 90, 10)];
    const hold = await open(held);
    const approving = (id: number) => outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }));
    expect(await approving(payout.id)).toBe("TRADE_ON_HOLD");
    expect(await approving(other.id)).toBe("ok");
    await resolve(hold, first);
    expect(await approving(payout.id)).toBe("TRADE_ON_HOLD");
    await resolve(hold, second);
    expect(await approving(payout.id)).toBe("ok");
  });

  test("is opened by a transfer in doubt, and ends with its result", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 90, 10);
    await outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }));
    await outcome((tx) => markPayoutUnknown(tx, { id, reason: "the line broke", at, by: first }));
    expect(await openHoldReasons(db(), reference)).toEqual(["TRANSFER_IN_DOUBT"]);
    const [hold] = await holdsOf(db(), reference);
    expect(await resolve(hold as Hold, second)).toEqual({ ok: false, code: "HOLD_OUTCOME_INVALID" });
    const bankReference = newBankReference();
    const found = { id, outcome: "sent" as const, bankReference, at, by: first };
    expect(await outcome((tx) => resolveUnknownPayout(tx, found))).toBe("ok");
    expect(await openHoldReasons(db(), reference)).toEqual([]);
  });

  test("keeps its reason and how it ended, enforced by the database", async () => {
    const hold = await open(newReference());
    await resolve(hold, first);
    const { id } = hold;
    for (const change of [
      sql`DELETE FROM payments.holds WHERE id = ${id}`,
      sql`UPDATE payments.holds SET closed_at = NULL, outcome = NULL, closed_by = NULL, note = NULL WHERE id = ${id}`,
      sql`UPDATE payments.holds SET reason = 'FRAUD_REPORT' WHERE id = ${id}`,
      sql`UPDATE payments.holds SET closed_by = 7 WHERE id = ${id}`,
    ]) {
      expect(await refusedBy(change)).toMatch(/never/);
    }
  });
});

describe("a resolution", () => {
  test("is the first that took effect, with its author and note", async () => {
    const hold = await open(newReference());
    expect(await resolve(hold, first)).toMatchObject({ state: "closed" });
    expect(await resolve(hold, second, "dismissed", "another word")).toMatchObject({
      ...{ state: "repeated", hold: { closedBy: first.userId, note: "looked at the merchant portal" } },
    });
    expect(
      await runInTransaction((tx) =>
        resolveHold(tx, { id: 999_999, outcome: "dismissed", note: "x", by: first, at }),
      ),
    ).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("that moves money needs two administrators who agree and are not related", async () => {
    const facts = { invoiceId: crypto.randomUUID(), amount: "999999" };
    const hold = await open(newReference(), { reason: "IMPLAUSIBLE_AMOUNT", facts });
    expect(resolutionsOf(hold)).toEqual(["dismissed", "booked"]);
    expect(await resolve(hold, first, "booked")).toMatchObject({ state: "proposed" });
    expect(await resolve(hold, first, "booked", "I am sure")).toMatchObject({ state: "proposed" });
    expect(await resolve(hold, related, "booked")).toEqual({ ok: false, code: "FOUR_EYES_RELATED" });
    expect(await resolve(hold, second, "booked")).toMatchObject({
      ...{ state: "closed", hold: { proposedBy: first.userId, closedBy: second.userId, outcome: "booked" } },
    });
  });

  test("proposed for other figures, or by someone who lost the right since, does not count as the first", async () => {
    const facts = { invoiceId: crypto.randomUUID(), amount: "999999" };
    const odd = { reason: "IMPLAUSIBLE_AMOUNT" as const, facts };
    const reference = newReference();
    await resolve(await open(reference, odd), first, "booked");
    const changed = await open(reference, { ...odd, figures: "888888" });
    expect(changed.proposedBy).toBeNull();
    expect(await resolve(changed, second, "booked")).toMatchObject({ state: "proposed" });
    const lost = { ...third, keepsRight: async (id: number) => id !== second.userId };
    expect(await resolve(changed, lost, "booked")).toMatchObject({
      ...{ state: "proposed", hold: { proposedBy: third.userId } },
    });
    expect(await resolve(changed, first, "booked")).toMatchObject({ state: "closed" });
  });

  test("of a difference that may mean lost money needs two while the trade holds money", async () => {
    const reference = await holding(100);
    const [payment] = await paymentsOf(db(), reference);
    const gone = { cause: "refunded_there", paymentId: payment?.id ?? 0 };
    const hold = await open(reference, { reason: "DIFFERENCE", facts: gone });
    expect(resolutionsOf(hold)).toEqual(["dismissed", "taken_back"]);
    expect(await resolve(hold, first)).toMatchObject({ state: "proposed" });
    expect(await resolve(hold, second)).toMatchObject({ state: "closed" });
    const other = await open(reference, {
      reason: "DIFFERENCE",
      subject: "payment:2",
      facts: { cause: "missing_here" },
    });
    expect(resolutionsOf(other)).toEqual(["dismissed"]);
    expect(await resolve(other, first)).toMatchObject({ state: "proposed" });
    const unpaid = await open(newReference(), { reason: "DIFFERENCE", facts: { cause: "missing_here" } });
    expect(await resolve(unpaid, first)).toMatchObject({ state: "closed" });
  });

  test("that releases money which the provider took back needs two as well", async () => {
    const reference = await holding(100);
    const [payment] = await paymentsOf(db(), reference);
    const hold = await open(reference, {
      reason: "PAYMENT_REVERSED",
      facts: { paymentId: payment?.id ?? 0 },
    });
    expect(await needsSecondPerson(db(), hold, "dismissed")).toBe(true);
    expect(await resolve(hold, first)).toMatchObject({ state: "proposed" });
    expect(await resolve(hold, second, "taken_back")).toEqual({ ok: false, code: "PROPOSAL_DIFFERS" });
    expect(await resolve(hold, second)).toMatchObject({ state: "closed" });
    const empty = await open(newReference(), { reason: "PAYMENT_REVERSED" });
    expect(await resolve(empty, third)).toMatchObject({ state: "closed" });
  });

  test("of a payment ends the daily comparison's difference about the same one, and no other", async () => {
    const reference = newReference();
    const differing = { reason: "DIFFERENCE" as const, facts: { cause: "uncountable" } };
    await open(reference, { ...differing, subject: "payment:1" });
    await open(reference, { ...differing, subject: "payment:2" });
    const hold = await open(reference, { reason: "WRONG_CURRENCY", subject: "payment:1" });
    await resolve(hold, first);
    const left = (await holdsOf(db(), reference)).filter(({ closedAt }) => closedAt === null);
    expect(left).toMatchObject([{ reason: "DIFFERENCE", subject: "payment:2" }]);
  });

  test("books a row of another invoice only if its amount is whole tugrik and plausible for its invoice", async () => {
    const foreign = (amount?: string) => ({
      reason: "FOREIGN_INVOICE" as const,
      facts: {
        providerPaymentId: "QP-FOREIGN",
        invoiceId: crypto.randomUUID(),
        billed: 1_500,
        ...(amount && { amount }),
      },
    });
    for (const amount of ["1500", "1500.00", "15000"]) {
      expect(resolutionsOf(foreign(amount))).toEqual(["dismissed", "booked"]);
    }
    for (const amount of [
      undefined,
      "1500.50",
      "1,000",
      "1e7",
      "0x10",
      "-5",
      "0",
      "0.00",
      "15001",
      "9".repeat(16),
    ]) {
      const hold = await open(newReference(), foreign(amount));
      expect(resolutionsOf(hold)).toEqual(["dismissed"]);
      expect(await resolve(hold, first, "booked")).toEqual({ ok: false, code: "HOLD_OUTCOME_INVALID" });
      const booking = runInTransaction((tx) =>
        bookHeldRow(tx, hold, { owed: 1_500, endedAt: null, at, by: first }),
      );
      await expect(booking).rejects.toThrow(`hold ${hold.id} names no sum that can be booked`);
    }
    const hold = await open(newReference(), foreign("1500.00"));
    const booked = await runInTransaction((tx) =>
      bookHeldRow(tx, hold, { owed: 1_500, endedAt: null, at, by: first }),
    );
    expect(booked.held).toBe(1_500);
  });

  test("by one person about an announced payment does not end its difference while money is held; by two it does", async () => {
    const differing = { reason: "DIFFERENCE" as const, facts: { cause: "uncountable" } };
    const announced = { reason: "PAYMENT_ANNOUNCED" as const };
    const paid = await holding(100);
    await open(paid, differing);
    expect(await resolve(await open(paid, announced), first)).toMatchObject({ ok: true, state: "closed" });
    expect(await openHoldReasons(db(), paid)).toEqual(["DIFFERENCE"]);
    for (const who of [first, second]) await resolve(await open(paid, { reason: "WRONG_CURRENCY" }), who);
    expect(await openHoldReasons(db(), paid)).toEqual([]);
    const unpaid = newReference();
    await open(unpaid, differing);
    await resolve(await open(unpaid, announced), first);
    expect(await openHoldReasons(db(), unpaid)).toEqual([]);
  });

  test("that does not belong to the reason is refused", async () => {
    const hold = await open(newReference());
    expect(await resolve(hold, first, "booked")).toEqual({ ok: false, code: "HOLD_OUTCOME_INVALID" });
  });
});

describe("a payment that was taken back", () => {
  async function takenBack(reference: number) {
    const [payment] = await paymentsOf(db(), reference);
    const hold = await open(reference, {
      reason: "PAYMENT_REVERSED",
      facts: { paymentId: payment?.id ?? 0 },
    });
    return runInTransaction(async (tx) => {
      const undone = await undoHeldPayment(tx, hold, "taken_back", { at, by: first });
      // As the resolution does in the same transaction: the database accepts the correction only with it.
      if (undone.ok) {
        await tx.execute(sql`UPDATE payments.holds SET closed_at = now(), outcome = 'taken_back', closed_by = 2, note = 'taken back'
          WHERE id = ${hold.id}`);
      }
      return undone;
    });
  }

  test("is corrected in the ledger, and what was due from it is void", async () => {
    const reference = await holding(100);
    const payout = await due(reference, "payout", 90, 10);
    expect(await takenBack(reference)).toEqual({ ok: true });
    expect(await ledgerLinesOf(reference)).toEqual([
      ...["provider:qpay 100", `escrow:${reference} -100`],
      ...[`escrow:${reference} 100`, "provider:qpay -100"],
    ]);
    expect((await payoutsOf(db(), reference)).map(({ id, state }) => [id, state])).toEqual([
      [payout.id, "void"],
    ]);
    expect((await paymentsOf(db(), reference))[0]?.takenBackAt).toEqual(at);
  });

  test("is not corrected once its money is in doubt", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 90, 10);
    await outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }));
    await outcome((tx) => markPayoutUnknown(tx, { id, reason: "the line broke", at, by: first }));
    expect(await takenBack(reference)).toEqual({ ok: false, code: "MONEY_ALREADY_SENT" });
    expect(await ledgerLinesOf(reference)).toHaveLength(2);
  });
});

test("finally the ledger balances", expectProven);
