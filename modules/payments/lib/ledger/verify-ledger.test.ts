import { beforeAll, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { markPayoutSent } from "../payouts/mark-payout-sent.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "../payouts/resolve-unknown-payout.ts";
import { recordPayments } from "../received/record-payments.ts";
import { at, due, first, holding, newBankReference, newReference, paid, second } from "./money.fixture.ts";
import type { ProblemCode } from "./proof-queries.ts";
import { type LedgerVerdict, proveLedger, verifyLedger } from "./verify-ledger.ts";

useDatabase();

async function send(id: number): Promise<void> {
  await runInTransaction((tx) => approvePayoutRecord(tx, { id, at, by: first }));
  await runInTransaction((tx) =>
    markPayoutSent(tx, { id, bankReference: newBankReference(), at, by: first }),
  );
}

let sent = 0;
let held = 0;

beforeAll(async () => {
  held = await holding(1_000);
  const reference = newReference();
  await runInTransaction((tx) => recordPayments(tx, { reference, rows: [paid(130)], owed: 100, at }));
  sent = (await due(reference, "payout", 90, 10)).id;
  await send(sent);
  await send((await due(await holding(500), "refund", 450, 50)).id);
  const back = (await due(await holding(70), "payout", 70)).id;
  await send(back);
  await runInTransaction((tx) => markPayoutUnknown(tx, { id: back, reason: "silent", at, by: first }));
  await runInTransaction((tx) =>
    resolveUnknownPayout(tx, { id: back, outcome: "not_sent", reason: "came back", at, by: second }),
  );
});

test("the sums of a correct ledger agree: received = held + suspense + paid out + fees + refunded", async () => {
  expect(await verifyLedger()).toEqual({
    ok: true,
    sums: {
      received: 1_700,
      held: 1_070,
      suspense: 30,
      paidOut: 90,
      fees: 60,
      refunded: 450,
      journals: 8,
      entries: 2 + 3 + 3 + 2 + 3 + 2 + 2 + 2,
      payments: 4,
      payouts: 5,
    },
  });
});

/** Verifies a ledger after changes made with triggers switched off; rolls the changes back. */
async function tampered(...statements: SQL[]): Promise<LedgerVerdict> {
  class Undo extends Error {}
  let verdict: LedgerVerdict | undefined;
  const work = ownerDatabase().transaction(async (tx) => {
    for (const table of ["journals", "entries", "balances", "payments", "payouts"]) {
      await tx.execute(sql.raw(`ALTER TABLE payments.${table} DISABLE TRIGGER USER`));
    }
    for (const statement of statements) await tx.execute(statement);
    verdict = await proveLedger(tx);
    throw new Undo();
  });
  await work.catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
  if (verdict === undefined) throw new Error("nothing was proved");
  return verdict;
}

describe("a ledger changed behind the triggers is detected:", () => {
  const escrow = sql`(SELECT min(account) FROM payments.balances WHERE account LIKE 'escrow:%' AND balance > 0)`;
  const cases: Array<[string, ProblemCode[], () => SQL[]]> = [
    [
      "an entry made larger",
      ["JOURNAL_UNBALANCED", "JOURNAL_UNEXPECTED", "SUMS_DIFFER"],
      () => [sql`UPDATE payments.entries SET amount = amount + 1 WHERE account = 'provider:qpay'`],
    ],
    [
      "money moved between two trades on both sides",
      ["JOURNAL_UNEXPECTED", "BALANCE_DIFFERS"],
      () => [sql`UPDATE payments.entries SET account = 'escrow:999999' WHERE account = ${escrow}`],
    ],
    [
      "a balance that no entry explains",
      ["BALANCE_DIFFERS"],
      () => [sql`UPDATE payments.balances SET balance = balance + 1 WHERE account = ${escrow}`],
    ],
    [
      "a negative balance",
      ["BALANCE_DIFFERS", "BALANCE_NEGATIVE"],
      () => [
        sql`ALTER TABLE payments.balances DROP CONSTRAINT balances_not_negative`,
        sql`UPDATE payments.balances SET balance = -1 WHERE account = ${escrow}`,
      ],
    ],
    [
      "a journal without entries",
      ["JOURNAL_UNBALANCED"],
      () => [
        sql`INSERT INTO payments.journals (event, kind, at) VALUES ('settlement:x', 'settlement', now())`,
      ],
    ],
    [
      "a payment whose journal is gone",
      ["JOURNAL_UNBALANCED", "JOURNAL_UNEXPECTED", "BALANCE_DIFFERS"],
      () => [
        sql`DELETE FROM payments.entries e USING payments.journals j WHERE j.id = e.journal_id
          AND j.kind = 'payment' AND j.reference = ${held}`,
      ],
    ],
    [
      "a payout that is sent without a journal",
      ["JOURNAL_UNEXPECTED", "PAYOUT_AND_CORRECTION_DISAGREE"],
      () => [
        sql`UPDATE payments.payouts SET state = 'sent', sent_by = 1, sent_at = now(), bank_reference = 'NONE',
          approved_by = 1, approved_at = now(), destination = '{"bankName":"","accountName":"","accountNumber":""}'
          WHERE state = 'due' AND replaces IS NOT NULL`,
      ],
    ],
    [
      "a payout whose sum was changed after it was sent",
      ["JOURNAL_UNEXPECTED"],
      () => [sql`UPDATE payments.payouts SET amount = 91, fee = 9 WHERE id = ${sent}`],
    ],
    [
      "a sent payout made void",
      ["PAYOUT_AND_CORRECTION_DISAGREE"],
      () => [
        sql`UPDATE payments.payouts SET state = 'void', voided_at = now(), reason = 'x' WHERE id = ${sent}`,
      ],
    ],
    [
      "a correction that gives back something else",
      ["CORRECTION_DIFFERS"],
      () => [
        sql`UPDATE payments.entries e SET account = 'fees' FROM payments.journals j
          WHERE j.id = e.journal_id AND j.kind = 'correction' AND e.account = 'bank'`,
      ],
    ],
    [
      "suspense whose refund was struck out",
      ["SUSPENSE_WITHOUT_REFUND"],
      () => [
        sql`UPDATE payments.payouts SET state = 'void', voided_at = now(), reason = 'x' WHERE source LIKE 'suspense:%'`,
      ],
    ],
    [
      "more promised than is held",
      ["ESCROW_OVERPROMISED"],
      () => [
        sql`INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
          VALUES (${held}, 'payout', 'escrow', 1001, 0, now(), now())`,
      ],
    ],
  ];
  for (const [what, codes, statements] of cases) {
    test(what, async () => {
      const verdict = await tampered(...statements());
      const found: string[] = verdict.ok ? [] : verdict.problems.map((problem) => problem.code);
      for (const code of codes) expect(found).toContain(code);
      if (!verdict.ok)
        expect(verdict.problems.every((one) => one.count > 0 && one.examples.length > 0)).toBe(true);
    });
  }
});

test("and once the changes are undone it balances again", async () => {
  expect((await verifyLedger()).ok).toBe(true);
});
