import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { at, audited, expectProven, first, outcome } from "./money.fixture.ts";
import { recordSettlement } from "./settlement.ts";

useDatabase();

const settle = (bankReference: string, received: number, cost: number) =>
  outcome((tx) => recordSettlement(tx, { bankReference, received, cost, at, by: first }));

test("a settlement moves the provider's money to the bank, less what it cost, once a reference", async () => {
  expect(await settle("set-1", 990, 10)).toBe("ok");
  expect(await settle(" SET-1", 990, 10)).toBe("repeated");
  expect(await settle("set-1", 980, 20)).toBe("SETTLEMENT_CONFLICT");
  const rows = await db().execute<{ journal_id: string; line: string }>(
    sql`SELECT journal_id, account || ' ' || amount AS line FROM payments.entries ORDER BY account`,
  );
  expect(rows.map((row) => row.line)).toEqual(["bank 990", "expense:qpay 10", "provider:qpay -1000"]);
  expect(await audited("journal", Number(rows[0]?.journal_id))).toEqual(["settlement.recorded"]);
});

test("a settlement without cost has two lines, and one of nothing is refused", async () => {
  expect(await settle("set-2", 500, 0)).toBe("ok");
  expect(await settle("set-3", 0, 0)).toBe("AMOUNT_INVALID");
  expect(await settle("set-3", 10, -1)).toBe("AMOUNT_INVALID");
});

test("twenty recordings of one settlement post it once", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => settle("set-4", 100, 1)));
  expect(answers.filter((answer) => answer === "ok")).toHaveLength(1);
  expect(answers.filter((answer) => answer === "repeated")).toHaveLength(19);
});

test("after all this the ledger proves itself", expectProven);
