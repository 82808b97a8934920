import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  account,
  at,
  due,
  expectProven,
  first,
  holding,
  newBankReference,
  refusedBy,
} from "../ledger/money.fixture.ts";
import type { Payout, PayoutState } from "../schema/money.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { markPayoutSent } from "./mark-payout-sent.ts";
import { voidLivePayouts } from "./withdraw-approval.ts";

// Payouts changed by SQL alone: the database itself enforces the state machine and the frozen fields.

useDatabase();

const change = (id: number, set: SQL) => refusedBy(sql`UPDATE payments.payouts SET ${set} WHERE id = ${id}`);

async function record(state: "due" | "approved" | "sent", amount = 100): Promise<Payout> {
  const made = await due(await holding(amount), "payout", amount);
  if (state !== "due")
    await runInTransaction((tx) => approvePayoutRecord(tx, { id: made.id, at, by: first }));
  if (state === "sent") {
    const bankReference = newBankReference();
    await runInTransaction((tx) => markPayoutSent(tx, { id: made.id, bankReference, at, by: first }));
  }
  return made;
}

describe("a record of outgoing money", () => {
  const skips: Array<[from: "due" | "approved" | "sent", to: PayoutState]> = [
    ["due", "sent"],
    ["due", "done"],
    ["due", "unknown"],
    ["approved", "done"],
    ["sent", "due"],
    ["sent", "approved"],
    ["sent", "void"],
  ];
  for (const [from, to] of skips) {
    test(`does not go from ${from} to ${to}`, async () => {
      const { id } = await record(from);
      const filled = sql`state = ${to}, reason = 'x', voided_at = now()`;
      expect(await change(id, filled)).toBe("payouts_transition");
    });
  }

  test("starts only as due", async () => {
    const reference = await holding(100);
    const insert = sql`INSERT INTO payments.payouts
      (reference, kind, source, amount, fee, state, due_at, created_at, approved_by, approved_at, destination)
      VALUES (${reference}, 'payout', 'escrow', 100, 0, 'approved', now(), now(), 1, now(),
        '{"bankName":"a","accountName":"b","accountNumber":"c"}')`;
    expect(await refusedBy(insert)).toBe("payouts_begin");
  });

  test("is live once per reference, kind and source", async () => {
    const { reference } = await record("due");
    const twin = sql`INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
      VALUES (${reference}, 'payout', 'escrow', 1, 0, now(), now())`;
    expect(await refusedBy(twin)).toBe("payouts_live");
  });

  test("is not sent without its journal", async () => {
    const { id } = await record("approved");
    const sent = sql`state = 'sent', sent_by = 1, sent_at = now(), bank_reference = ${newBankReference()}`;
    expect(await change(id, sent)).toBe("payouts_posted");
  });

  test("keeps its amount, its destination once approved, and its approval", async () => {
    const { id } = await record("approved");
    expect(await change(id, sql`amount = 1`)).toBe("payouts_frozen");
    expect(await change(id, sql`fee = 1`)).toBe("payouts_frozen");
    expect(await change(id, sql`reference = 1`)).toBe("payouts_frozen");
    expect(await change(id, sql`destination = destination || '{"accountNumber":"6666"}'`)).toBe(
      "payouts_frozen",
    );
    expect(await change(id, sql`recipient_id = 6`)).toBe("payouts_frozen");
    expect(await change(id, sql`approved_by = 6`)).toBe("payouts_frozen");
  });

  test("keeps its sending", async () => {
    const { id } = await record("sent");
    expect(await change(id, sql`bank_reference = 'OTHER'`)).toBe("payouts_frozen");
    expect(await change(id, sql`sent_by = 6`)).toBe("payouts_frozen");
    expect(
      await change(id, sql`destination = '{"bankName":"a","accountName":"b","accountNumber":"c"}'`),
    ).toBe("payouts_frozen");
  });

  test("that was sent can lose the phone number of its destination, and nothing else with it or instead of it", async () => {
    const telephoned = { ...account, phone: "99112233" };
    const { id } = await due(await holding(100), "payout", 100, 0, telephoned);
    const lost = sql`destination = destination - 'phone'`;
    await runInTransaction((tx) => approvePayoutRecord(tx, { id, at, by: first }));
    expect(await change(id, lost)).toBe("payouts_frozen");
    await runInTransaction((tx) =>
      markPayoutSent(tx, { id, bankReference: newBankReference(), at, by: first }),
    );
    for (const more of [
      sql`destination = destination - 'accountNumber'`,
      sql`destination = destination - 'phone' - 'iban' - 'accountName'`,
      sql`destination = destination || '{"phone": "88112233"}'`,
      sql`${lost}, sent_by = 6`,
      sql`${lost}, recipient_id = 6`,
    ]) {
      expect(await change(id, more)).toBe("payouts_frozen");
    }
    expect(await change(id, lost)).toBe("accepted");
    expect(await change(id, sql`destination = destination || '{"phone": "99112233"}'`)).toBe(
      "payouts_frozen",
    );
  });

  test("loses its destination and reason permanently when it is erased, and nothing else", async () => {
    const { id, reference } = await record("due");
    await runInTransaction((tx) =>
      voidLivePayouts(tx, { reference, reason: "no such account", at, by: first }),
    );
    expect(await change(id, sql`reason = NULL`)).toBe("payouts_frozen");
    expect(await change(id, sql`destination = NULL, erased_at = now(), amount = 1`)).toBe("payouts_frozen");
    // The reason is removed even if the statement leaves it.
    expect(await change(id, sql`destination = NULL, erased_at = now()`)).toBe("accepted");
    expect(await db().execute(sql`SELECT reason FROM payments.payouts WHERE id = ${id}`)).toMatchObject([
      { reason: null },
    ]);
    expect(await change(id, sql`reason = 'back again'`)).toBe("payouts_frozen");
  });

  test("is not approved without a destination, nor sent without a reference unless marked missing", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 100, 0, null);
    expect(await change(id, sql`state = 'approved', approved_by = 1, approved_at = now()`)).toBe(
      "payouts_approval",
    );
    const sent = await record("sent");
    expect(await change(sent.id, sql`reference_missing = true`)).toBe("payouts_sending");
  });

  test("that needs two people is not sent by its approver", async () => {
    const { id, reference } = await record("approved");
    const journal = sql`INSERT INTO payments.journals (event, kind, reference, payout_id, at)
      VALUES (${`payout:${id}`}, 'payout', ${reference}, ${id}, now())`;
    const money = sql`INSERT INTO payments.entries SELECT j.id, line.account, line.amount FROM payments.journals j,
      (VALUES (${`escrow:${reference}`}, 100::bigint), ('bank', -100::bigint)) AS line (account, amount)
      WHERE j.event = ${`payout:${id}`}`;
    const mark = sql`UPDATE payments.payouts SET four_eyes = true WHERE id = ${id}`;
    const send = sql`UPDATE payments.payouts SET state = 'sent', sent_by = approved_by, sent_at = now(),
      bank_reference = ${newBankReference()} WHERE id = ${id}`;
    expect(await refusedBy(mark, journal, money, send)).toBe("payouts_four_eyes");
    expect(await change(id, sql`four_eyes = true`)).toBe("accepted");
    expect(await change(id, sql`four_eyes = false`)).toBe("payouts_frozen");
  });

  test("whose account an administrator entered is not approved by them, and keeps who entered it and why", async () => {
    const { id } = await due(await holding(100), "refund", 100);
    const named = sql`named_by = 901, named_at = now(), named_reason = 'the bank says so'`;
    const approval = (by: number) => sql`state = 'approved', approved_by = ${by}, approved_at = now()`;
    expect(await change(id, sql`named_by = 901, named_at = now()`)).toBe("payouts_named");
    expect(await change(id, sql`${named}, destination = NULL`)).toBe("payouts_named");
    expect(await change((await record("due")).id, named)).toBe("payouts_named");
    expect(await change(id, named)).toBe("accepted");
    expect(await change(id, approval(901))).toBe("payouts_named_approval");
    expect(await change(id, approval(902))).toBe("accepted");
    for (const set of [sql`named_by = 903`, sql`named_reason = 'another'`, sql`named_at = NULL`]) {
      expect(await change(id, set)).toContain("keeps what was written");
    }
  });

  test("uses a bank reference that nobody else used, in one spelling", async () => {
    const one = await record("sent");
    const other = await record("approved");
    const doubt = sql`state = 'unknown', reason = 'x', unknown_at = now(), bank_reference = `;
    const [used] = await runInTransaction((tx) =>
      tx.execute<{ bank_reference: string }>(
        sql`SELECT bank_reference FROM payments.payouts WHERE id = ${one.id}`,
      ),
    );
    expect(await change(other.id, sql`${doubt}${used?.bank_reference}`)).toBe("payouts_bank_reference_once");
    expect(await change(other.id, sql`${doubt}' lower '`)).toBe("payouts_bank_reference_plain");
  });
});

test("finally the ledger balances", expectProven);
