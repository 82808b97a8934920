import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { type ByHand, bookByHand } from "./book.hand.ts";
import { book } from "./book.ts";
import {
  at,
  audited,
  expectProven,
  first,
  heldBy,
  linesOf,
  newReference,
  paid,
  second,
} from "./money.fixture.ts";

useDatabase();

let slips = 0;
const slip = () => `slip ${++slips}`;
const byHand = (reference: number, over: Partial<ByHand> = {}) =>
  transaction((tx) =>
    bookByHand(tx, {
      reference,
      amount: 100,
      owed: 100,
      bankReference: slip(),
      proposedBy: first.userId,
      confirmedBy: second.userId,
      hands: second.hands,
      at,
      ...over,
    }),
  );
const reported = (reference: number, amount: number) =>
  transaction((tx) => book(tx, { reference, rows: [paid(amount)], owed: 100, at }));

describe("a confirmation by hand", () => {
  test("is money at once, and meets the provider's later row without becoming money again", async () => {
    const reference = newReference();
    const hand = await byHand(reference);
    expect(hand).toMatchObject({ ok: true, repeated: false, held: 100, excess: 0 });
    const row = paid(100);
    const later = await transaction((tx) => book(tx, { reference, rows: [row], owed: 100, at }));
    expect(later).toMatchObject({ booked: [], matched: [row], held: 100, excess: 0 });
    expect(await transaction((tx) => book(tx, { reference, rows: [row], owed: 100, at }))).toMatchObject({
      booked: [],
      matched: [],
      held: 100,
    });
    expect(await linesOf(reference)).toEqual(["provider:qpay 100", `escrow:${reference} -100`]);
    if (hand.ok)
      expect(await audited("payment", hand.paymentId)).toEqual(["payment.booked", "payment.matched"]);
  });

  test("meets one row only: a second payment of the same sum is excess", async () => {
    const reference = newReference();
    await byHand(reference);
    await reported(reference, 100);
    expect(await reported(reference, 100)).toMatchObject({ matched: [], excess: 100, held: 100 });
  });

  test("does not take a row of another sum", async () => {
    const reference = newReference();
    await byHand(reference, { amount: 40 });
    expect(await reported(reference, 60)).toMatchObject({ matched: [], held: 100, excess: 0 });
  });

  test("of the same slip and content answers the first", async () => {
    const reference = newReference();
    const bankReference = slip();
    await byHand(reference, { bankReference });
    const again = await byHand(reference, { bankReference: ` ${bankReference.toUpperCase()} ` });
    expect(again).toMatchObject({ ok: true, repeated: true, held: 100 });
  });

  const refusals: Array<[string, string, (reference: number) => Promise<unknown>]> = [
    ["no whole tugrik", "AMOUNT_INVALID", (reference) => byHand(reference, { amount: 0.5 })],
    [
      "one person twice",
      "FOUR_EYES_REQUIRED",
      (reference) => byHand(reference, { confirmedBy: first.userId }),
    ],
    [
      "one pair of eyes",
      "FOUR_EYES_RELATED",
      (reference) => byHand(reference, { hands: [second.userId, first.userId] }),
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
  for (const [what, code, attempt] of refusals) {
    test(`with ${what} is refused: ${code}`, async () => {
      const reference = newReference();
      expect(await attempt(reference)).toEqual({ ok: false, code });
      expect(await heldBy(reference)).toBe(0);
    });
  }

  test("of a sum the provider has reported already is refused: it is the same money", async () => {
    const reference = newReference();
    await reported(reference, 100);
    expect(await byHand(reference)).toEqual({ ok: false, code: "PAYMENT_ALREADY_BOOKED" });
  });

  test("beside the provider's row at the same moment is one sum of money", async () => {
    for (let round = 0; round < 10; round++) {
      const reference = newReference();
      await Promise.all([byHand(reference), reported(reference, 100)]);
      expect(await heldBy(reference)).toBe(100);
      const rows = await db().execute(sql`SELECT 1 FROM payments.payments WHERE reference = ${reference}`);
      expect(rows).toHaveLength(1);
    }
  });
});

test("after all this the ledger proves itself", expectProven);
