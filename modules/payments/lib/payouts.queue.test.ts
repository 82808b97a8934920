import { expect, test } from "bun:test";
import { db, transaction } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { book } from "./book.ts";
import { account, at, first, holding, later, newBankReference, newReference, paid } from "./money.fixture.ts";
import { approve } from "./payouts.approve.ts";
import { createDue } from "./payouts.due.ts";
import { payoutList, payoutQueue, suspenseList } from "./payouts.queue.ts";
import { markSent } from "./payouts.send.ts";

useDatabase();

async function dueIn(minutes: number): Promise<number> {
  const reference = await holding(100);
  const made = await transaction((tx) =>
    createDue(tx, {
      reference,
      kind: "payout",
      amount: 100,
      fee: 0,
      destination: account,
      recipientId: 1,
      dueAt: later(minutes),
      at,
      by: first,
    }),
  );
  if (!made.ok) throw new Error(made.code);
  return made.payout.id;
}

async function send(id: number, bankReference: string | null): Promise<void> {
  await transaction((tx) => approve(tx, { id, at, by: first }));
  await transaction((tx) => markSent(tx, { id, bankReference, at, by: first }));
}

const ids = (rows: Array<{ id: number }>) => rows.map((row) => row.id);

test("the queue is what waits for a person, earliest due first, in pages", async () => {
  const [last, tie, early, sent, missing] = [
    await dueIn(300),
    await dueIn(100),
    await dueIn(100),
    await dueIn(10),
    await dueIn(200),
  ];
  await send(sent, newBankReference());
  await send(missing, null);
  await transaction((tx) => approve(tx, { id: early, at, by: first }));
  expect(ids(await payoutQueue(db()))).toEqual([tie, early, missing, last]);
  const page = await payoutQueue(db(), { limit: 2 });
  expect(ids(page)).toEqual([tie, early]);
  expect(ids(await payoutQueue(db(), { limit: 2, after: early }))).toEqual([missing, last]);
  expect(ids(await payoutQueue(db(), { after: last }))).toEqual([]);
});

test("the list is newest first, of one state or all, in pages", async () => {
  const all = ids(await payoutList(db()));
  expect(all).toEqual([...all].sort((a, b) => b - a));
  const sent = await payoutList(db(), { state: "sent" });
  expect(sent).toHaveLength(2);
  expect(ids(await payoutList(db(), { limit: 1 }))).toEqual(all.slice(0, 1));
  expect(ids(await payoutList(db(), { limit: 2, before: all[0] }))).toEqual(all.slice(1, 3));
});

test("suspense names the payment, what is left of it and its refund, until that is sent", async () => {
  const reference = newReference();
  const row = paid(130, { wallet: "Khan Bank" });
  const { refunds } = await transaction((tx) => book(tx, { reference, rows: [row], owed: 100, at }));
  const [refund] = refunds;
  if (refund === undefined) throw new Error("the excess has no refund");
  expect(await suspenseList(db())).toEqual([
    {
      paymentId: Number(refund.source.split(":")[1]),
      reference,
      providerPaymentId: row.providerPaymentId,
      amount: 30,
      paidAt: at,
      wallet: "Khan Bank",
      payerBank: null,
      refund,
    },
  ]);
  await transaction((tx) => approve(tx, { id: refund.id, destination: account, at, by: first }));
  await transaction((tx) =>
    markSent(tx, { id: refund.id, bankReference: newBankReference(), at, by: first }),
  );
  expect(await suspenseList(db())).toEqual([]);
});
