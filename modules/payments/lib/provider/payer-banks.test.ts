import { expect, test } from "bun:test";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { at, due, newReference, paid } from "../ledger/money.fixture.ts";
import { payoutsOf } from "../payouts/payouts.ts";
import { recordPayments } from "../received/record-payments.ts";
import { payerBanks } from "./payer-banks.ts";

useDatabase();

/** A trade of 100 ₮ with payments of these amounts, each from a bank, and a due payout or refund of 100 ₮. */
async function trade(kind: "payout" | "refund", ...banks: Array<[number, string?]>) {
  const reference = newReference();
  const rows = banks.map(([amount, payerBank]) => paid(amount, payerBank === undefined ? {} : { payerBank }));
  await runInTransaction((tx) => recordPayments(tx, { reference, rows, owed: 100, at }));
  await due(reference, kind, 100);
  return payoutsOf(db(), reference);
}

test("each refund has the banks of its own trade, each once; an overpayment's refund has its payment's bank", async () => {
  const back = await trade("refund", [30, "050000"], [30, "150000"], [40, "050000"], [5, "320000"], [1]);
  const nameless = await trade("refund", [100]);
  const sold = await trade("payout", [100, "040000"], [7, "340000"]);
  const records = [...back, ...nameless, ...sold];
  const banks = await payerBanks(db(), records);
  const told = records.map(({ id, kind, source, amount }) => [
    `${kind} of ${amount} from ${source.replace(/\d+$/, "")}`,
    banks.get(id),
  ]);
  expect(told).toEqual([
    ["refund of 5 from suspense:", ["320000"]],
    ["refund of 1 from suspense:", []],
    ["refund of 100 from escrow", ["050000", "150000"]],
    ["refund of 100 from escrow", []],
    ["refund of 7 from suspense:", ["340000"]],
    ["payout of 100 from escrow", undefined],
  ]);
});

test("without a refund there are none", async () => {
  expect(await payerBanks(db(), [])).toEqual(new Map());
  expect(await payerBanks(db(), await trade("payout", [100, "050000"]))).toEqual(new Map());
});
