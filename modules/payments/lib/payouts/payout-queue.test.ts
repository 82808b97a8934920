import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  account,
  at,
  first,
  holding,
  later,
  newBankReference,
  newReference,
  paid,
} from "../ledger/money.fixture.ts";
import { recordPayments } from "../received/record-payments.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { createDuePayout } from "./create-payout.ts";
import { markPayoutSent } from "./mark-payout-sent.ts";
import { payoutList, payoutQueue, payoutsSentBetween, suspenseList } from "./payout-queue.ts";
import { postponeDuePayouts } from "./postpone-payouts.ts";

useDatabase();

async function dueIn(minutes: number): Promise<number> {
  const reference = await holding(100);
  const made = await runInTransaction((tx) =>
    createDuePayout(tx, {
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
  await runInTransaction((tx) => approvePayoutRecord(tx, { id, at, by: first }));
  await runInTransaction((tx) => markPayoutSent(tx, { id, bankReference, at, by: first }));
}

const ids = (rows: Array<{ id: number }>) => rows.map((row) => row.id);

test("the queue has what waits for a person, earliest due first, in pages", async () => {
  const [last, tie, early, sent, missing] = [
    await dueIn(300),
    await dueIn(100),
    await dueIn(100),
    await dueIn(10),
    await dueIn(200),
  ];
  await send(sent, newBankReference());
  await send(missing, null);
  await runInTransaction((tx) => approvePayoutRecord(tx, { id: early, at, by: first }));
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

test("a page has at most its maximum and one more row, however many are requested", async () => {
  const rolledBack = new Error("nothing of it is kept");
  const many = runInTransaction(async (tx) => {
    await tx.execute(sql`INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
      SELECT 900000 + n, 'payout', 'escrow', 1, 0, now(), now() FROM generate_series(1, 102) n`);
    for (const limit of [102, 1_000]) expect(await payoutList(tx, { limit })).toHaveLength(101);
    expect(await payoutList(tx)).toHaveLength(50);
    expect(await payoutList(tx, { limit: 0 })).toHaveLength(1);
    throw rolledBack;
  });
  await expect(many).rejects.toBe(rolledBack);
});

test("what was sent in a period is listed oldest first, without the last moment and void records", async () => {
  const sentAt = async (minutes: number) => {
    const id = await dueIn(300);
    await runInTransaction((tx) => approvePayoutRecord(tx, { id, at, by: first }));
    const sending = { id, bankReference: newBankReference(), at: later(minutes), by: first };
    await runInTransaction((tx) => markPayoutSent(tx, sending));
    return id;
  };
  const [, last, early] = [
    await sentAt(11_020),
    await sentAt(11_019),
    await sentAt(11_010),
    await sentAt(11_009),
  ];
  const between = await payoutsSentBetween(db(), later(11_010), later(11_020));
  expect(ids(between)).toEqual([early, last]);
});

test("due dates are extended by Midman's downtime, except those that had passed before", async () => {
  const reference = await holding(100);
  const part = { reference, fee: 0, destination: account, recipientId: 1, at, by: first };
  const make = async (kind: "payout" | "refund", amount: number, minutes: number) => {
    const made = await runInTransaction((tx) =>
      createDuePayout(tx, { ...part, kind, amount, dueAt: later(minutes) }),
    );
    if (!made.ok) throw new Error(made.code);
    return made.payout.id;
  };
  const [late, gone] = [await dueIn(20_030), await dueIn(20_031)];
  await send(gone, newBankReference());
  const [inside, after] = [await make("payout", 60, 20_031), await make("refund", 40, 20_600)];
  const moved = await runInTransaction((tx) => postponeDuePayouts(tx, 30 * 60_000, later(20_060)));
  const stand = await payoutQueue(db(), { limit: 100 });
  const due = new Map(stand.map(({ id, dueAt }) => [id, dueAt]));
  expect([late, inside, after].map((id) => due.get(id))).toEqual([
    later(20_030),
    later(20_061),
    later(20_630),
  ]);
  expect((await payoutList(db(), { state: "sent" })).find(({ id }) => id === gone)?.dueAt).toEqual(
    later(20_031),
  );
  expect(moved).toBe(2);
});

test("suspense names the payment, what is left of it and its refund, until that is sent", async () => {
  const reference = newReference();
  const row = paid(130, { wallet: "Khan Bank" });
  const { refunds } = await runInTransaction((tx) =>
    recordPayments(tx, { reference, rows: [row], owed: 100, at }),
  );
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
  await runInTransaction((tx) =>
    approvePayoutRecord(tx, { id: refund.id, destination: account, at, by: first }),
  );
  await runInTransaction((tx) =>
    markPayoutSent(tx, { id: refund.id, bankReference: newBankReference(), at, by: first }),
  );
  expect(await suspenseList(db())).toEqual([]);
});
