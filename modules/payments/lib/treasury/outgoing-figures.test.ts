import { expect, test } from "bun:test";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { due, first, holding, later, newBankReference, outcome, second } from "../ledger/money.fixture.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { markPayoutSent } from "../payouts/mark-payout-sent.ts";
import { payoutsOf } from "../payouts/payouts.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "../payouts/resolve-unknown-payout.ts";
import { outgoingByDay } from "./outgoing-figures.ts";

useDatabase();

async function sent(id: number, minutes: number): Promise<void> {
  const at = later(minutes);
  expect(await outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }))).toBe("ok");
  const bankReference = newBankReference();
  expect(await outcome((tx) => markPayoutSent(tx, { id, bankReference, at, by: first }))).toBe("ok");
}

/** Reports a transfer as not found at the bank; returns the id of the payout that replaces it. */
async function notFound(reference: number, id: number, minutes: number): Promise<number> {
  const told = { id, reason: "not on the statement", at: later(minutes), by: first };
  expect(await outcome((tx) => markPayoutUnknown(tx, told))).toBe("ok");
  expect(await outcome((tx) => resolveUnknownPayout(tx, { ...told, by: second, outcome: "not_sent" }))).toBe(
    "ok",
  );
  return (await payoutsOf(db(), reference)).at(-1)?.id ?? 0;
}

test("a seller's wait counts from the first record of a payout, however often it is replaced", async () => {
  const [plain, anew] = [await holding(10_000), await holding(10_000)];
  await sent((await due(plain, "payout", 9_000, 1_000)).id, 20);
  let { id } = await due(anew, "payout", 9_000, 1_000);
  await sent(id, 10);
  id = await notFound(anew, id, 100);
  await sent(id, 110);
  id = await notFound(anew, id, 150);
  await sent(id, 180);
  expect(await outgoingByDay(db(), later(0), later(300))).toEqual([
    { day: "2026-03-01", fees: 2_000, payouts: 2, seconds: 200 * 60 },
  ]);
});
