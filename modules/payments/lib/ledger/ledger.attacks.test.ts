import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectProven, heldBy, holding, newReference, refusedBy } from "./money.fixture.ts";
import { verifyLedger } from "./verify-ledger.ts";

// SQL written past the code: the database itself must refuse it.

useDatabase();

const journal = (event: string, more: SQL = sql``) => sql`
  INSERT INTO payments.journals (event, kind, at) VALUES (${event}, 'settlement', now()) ${more}`;
const entry = (event: string, account: string, amount: number) => sql`
  INSERT INTO payments.entries SELECT id, ${account}, ${amount}::bigint FROM payments.journals WHERE event = ${event}`;
const lines = (event: string, ...of: Array<[string, number]>) => sql`
  INSERT INTO payments.entries SELECT id, line.account, line.amount FROM payments.journals,
    (VALUES ${sql.join(
      of.map(([account, amount]) => sql`(${account}, ${amount}::bigint)`),
      sql`, `,
    )}) AS line (account, amount)
  WHERE event = ${event}`;
const kept = (table: string, verb: string) => `payments.${table} keeps what was written: ${verb} is refused`;

describe("the ledger's tables", () => {
  for (const table of ["journals", "entries", "payments", "payouts", "balances", "halt", "settlements"]) {
    test(`${table} refuses DELETE and TRUNCATE`, async () => {
      const name = sql.raw(`payments.${table}`);
      expect(await refusedBy(sql`DELETE FROM ${name}`)).toBe(kept(table, "DELETE"));
      expect(await refusedBy(sql`TRUNCATE ${name} CASCADE`)).toContain("TRUNCATE is refused");
    });
  }

  test("journals and entries refuse UPDATE", async () => {
    await holding(100);
    expect(await refusedBy(sql`UPDATE payments.entries SET amount = amount * 2`)).toBe(
      kept("entries", "UPDATE"),
    );
    expect(await refusedBy(sql`UPDATE payments.journals SET at = now()`)).toBe(kept("journals", "UPDATE"));
  });

  test("a booked payment refuses UPDATE", async () => {
    const reference = await holding(100);
    const change = sql`UPDATE payments.payments SET amount = 1, to_escrow = 1 WHERE reference = ${reference}`;
    expect(await refusedBy(change)).toContain("is booked and does not change");
  });

  test("balances are written only by the entries", async () => {
    const reference = await holding(100);
    const account = `escrow:${reference}`;
    expect(await refusedBy(sql`UPDATE payments.balances SET balance = 5 WHERE account = ${account}`)).toBe(
      kept("balances", "UPDATE"),
    );
    expect(await refusedBy(sql`INSERT INTO payments.balances VALUES ('escrow:999999', 5)`)).toBe(
      kept("balances", "INSERT"),
    );
    expect(await heldBy(reference)).toBe(100);
  });
});

describe("a journal written directly", () => {
  test("is refused without entries, with one, or unbalanced", async () => {
    expect(await refusedBy(journal("settlement:1"))).toBe("journal_whole");
    expect(await refusedBy(journal("settlement:1"), entry("settlement:1", "bank", 5))).toBe("journal_whole");
    const unbalanced = lines("settlement:1", ["bank", 5], ["provider:qpay", -4]);
    expect(await refusedBy(journal("settlement:1"), unbalanced)).toBe("journal_whole");
  });

  test("is refused if entries are added after the check, by SET CONSTRAINTS or in a later transaction", async () => {
    const first = [journal("settlement:2"), lines("settlement:2", ["bank", 5], ["provider:qpay", -5])];
    const more = lines("settlement:2", ["fees", 7], ["expense:qpay", -6]);
    expect(await refusedBy(...first, sql`SET CONSTRAINTS ALL IMMEDIATE`, more)).toBe("journal_whole");
    expect(await refusedBy(...first)).toBe("accepted");
    const balanced = lines("settlement:2", ["fees", 7], ["expense:qpay", -7]);
    expect(await refusedBy(balanced)).toBe("journal_whole");
  });

  test("is refused as a settlement that affects anything but the bank and the provider", async () => {
    const fees = lines("settlement:7", ["bank", 5], ["fees", -5]);
    expect(await refusedBy(journal("settlement:7"), fees)).toBe("journal_fits");
  });

  test("is refused for an event that already has one", async () => {
    await refusedBy(journal("settlement:3"), lines("settlement:3", ["bank", 5], ["provider:qpay", -5]));
    expect(await refusedBy(journal("settlement:3"))).toBe("journals_event_once");
  });

  test("is refused if it takes more than an account holds", async () => {
    const reference = await holding(100);
    const theft = lines("settlement:4", [`escrow:${reference}`, 101], ["bank", -101]);
    expect(await refusedBy(journal("settlement:4"), theft)).toBe("balances_not_negative");
    const nothing = lines("settlement:4", ["escrow:999999", 1], ["bank", -1]);
    expect(await refusedBy(journal("settlement:4"), nothing)).toBe("balances_not_negative");
    expect(await heldBy(reference)).toBe(100);
  });

  test("is refused with a missing account or a line of zero", async () => {
    const odd = lines("settlement:5", ["escrow:bold", 1], ["bank", -1]);
    expect(await refusedBy(journal("settlement:5"), odd)).toBe("entries_account");
    const zero = lines("settlement:5", ["fees", 0], ["bank", 0]);
    expect(await refusedBy(journal("settlement:5"), zero)).toBe("entries_amount");
  });

  test("is refused as the journal of a payout that was not sent", async () => {
    const reference = await holding(100);
    const due = sql`INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
      VALUES (${reference}, 'payout', 'escrow', 100, 0, now(), now())`;
    const posting = sql`INSERT INTO payments.journals (event, kind, reference, payout_id, at)
      SELECT 'payout:' || id, 'payout', reference, id, now() FROM payments.payouts WHERE reference = ${reference}`;
    const event = sql`SELECT id FROM payments.payouts WHERE reference = ${reference}`;
    const money = sql`INSERT INTO payments.entries SELECT j.id, line.account, line.amount FROM payments.journals j,
      (VALUES (${`escrow:${reference}`}, 100::bigint), ('bank', -100::bigint)) AS line (account, amount)
      WHERE j.payout_id = (${event})`;
    expect(await refusedBy(due, posting, money)).toBe("journal_fits");
  });

  test("is refused as a correction of something else", async () => {
    await refusedBy(journal("settlement:6"), lines("settlement:6", ["bank", 5], ["provider:qpay", -5]));
    const [row] = await db().execute<{ id: string }>(
      sql`SELECT id FROM payments.journals WHERE event = 'settlement:6'`,
    );
    const id = Number(row?.id);
    const correction = sql`INSERT INTO payments.journals (event, kind, corrects, at)
      VALUES (${`correction:${id}`}, 'correction', ${id}, now())`;
    const half = lines(`correction:${id}`, ["bank", -4], ["provider:qpay", 4]);
    expect(await refusedBy(correction, half)).toBe("journal_fits");
  });
});

describe("a payment written directly", () => {
  const insert = (reference: number, provider: string) => sql`
    INSERT INTO payments.payments
      (reference, provider_payment_id, invoice_id, amount, to_escrow, to_suspense, paid_at, booked_at)
    VALUES (${reference}, ${provider}, gen_random_uuid(), 10, 10, 0, now(), now())`;

  test("is refused without its journal", async () => {
    expect(await refusedBy(insert(newReference(), "attack-1"))).toBe("payment_posted");
  });

  test("is refused if the split does not add up", async () => {
    const odd = sql`INSERT INTO payments.payments
      (reference, provider_payment_id, invoice_id, amount, to_escrow, to_suspense, paid_at, booked_at)
      VALUES (1, 'attack-2', gen_random_uuid(), 10, 10, 5, now(), now())`;
    expect(await refusedBy(odd)).toBe("payments_split");
  });

  test("as a manual one is refused if one person stands for two", async () => {
    const odd = sql`INSERT INTO payments.payments
      (reference, hand_reference, proposed_by, confirmed_by, amount, to_escrow, to_suspense, paid_at, booked_at)
      VALUES (1, 'SLIP', 3, 3, 10, 10, 0, now(), now())`;
    expect(await refusedBy(odd)).toBe("payments_two_hands");
  });
});

test("a settlement that two people did not confirm fails the verification; nothing else is wrong", async () => {
  const verdict = await verifyLedger();
  const { problems } = verdict.ok ? { problems: [] } : verdict;
  expect(problems.map(({ code, examples }) => [code, ...examples])).toEqual([
    ["JOURNAL_UNEXPECTED", "settlement:2", "settlement:3", "settlement:6"],
  ]);
  await db().execute(sql`
    INSERT INTO payments.settlements
      (bank_reference, received, cost, proposed_by, proposed_at, confirmed_by, confirmed_at, journal_id)
    SELECT substr(event, length('settlement:') + 1), 5, 0, 1, now(), 2, now(), id
    FROM payments.journals WHERE kind = 'settlement'`);
  await expectProven();
});
