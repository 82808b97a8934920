import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, db, disconnect } from "../../db/client.ts";
import { books, faults, noticesOf } from "../support/books.ts";
import type { Client } from "../support/client.ts";
import { type Deal, payAt, requestPayment, untilStatus } from "../support/deal.ts";
import { must, type Person, register, signInAdministrator } from "../support/people.ts";
import { setRight } from "../support/rights.ts";
import { type Server, startServer } from "../support/server.ts";

/** The provider is away while buyers pay: two administrators confirm what they saw, and its later word of it is the same money. */

let server: Server;
let first: Client;
let second: Person;

beforeAll(async () => {
  server = await startServer();
  connect(server.databaseUrl);
  [first, second] = await Promise.all([signInAdministrator(server), register(server, "Second Desk")]);
  await setRight(second.id, true);
}, 240_000);

afterAll(async () => {
  await disconnect();
  await server?.stop();
});

const behave = async (how: object) => must(await first.post("/sandbox/qpay/behave", how), 200);
const confirm = (who: Client, { id }: Deal, body: object) =>
  who.post(`/api/admin/transactions/${id}/confirm-payment`, body);
const payments = async ({ id }: Deal) => {
  const rows = await db().execute<{ by_hand: boolean; matched: boolean; amount: string }>(sql`
    SELECT confirmed_by IS NOT NULL AS by_hand, provider_payment_id IS NOT NULL AS matched, amount
    FROM payments.payments WHERE reference = ${id} ORDER BY id`);
  return rows.map(({ amount, ...row }) => ({ ...row, amount: Number(amount) }));
};

/** The buyer has paid and the provider does not say so, neither by itself nor asked. */
async function paidInTheDark(): Promise<Deal> {
  const deal = await requestPayment(server);
  await behave({ operation: "check", fail: 503, nextCalls: "all" });
  await payAt(deal.buyer, deal.invoiceId, { callback: false });
  const asked = await deal.buyer.post(`/api/transactions/${deal.id}/verify`);
  expect(asked.body.success).toBe(false);
  expect(await books(deal.id)).toEqual({});
  return deal;
}

test("needs a number and a second person, lets the trade go on, and is booked once when the provider is back", async () => {
  const deal = await paidInTheDark();
  const slip = { amount: 110_000, reference: `SLIP-${deal.id}` };
  expect((await confirm(first, deal, { amount: 110_000 })).status).toBe(422);
  expect((await confirm(first, deal, { ...slip, reference: " " })).status).toBe(422);
  expect((await confirm(deal.buyer, deal, slip)).status).toBe(403);
  must(await confirm(first, deal, slip), 200);
  must(await confirm(first, deal, slip), 200);
  expect(await books(deal.id)).toEqual({});
  expect((await confirm(second, deal, { ...slip, amount: 100_000 })).body.code).toBe("PROPOSAL_DIFFERS");
  must(await confirm(second, deal, slip), 200);
  await untilStatus(deal, "payment_confirmed");
  must(await confirm(second, deal, slip), 200);
  const once = { "provider:qpay": -110_000, [`escrow:${deal.id}`]: 110_000 };
  expect(await books(deal.id)).toEqual(once);
  expect(await payments(deal)).toEqual([{ by_hand: true, matched: false, amount: 110_000 }]);

  await behave({ reset: true });
  await Promise.all([
    deal.buyer.post(`/api/transactions/${deal.id}/verify`),
    deal.buyer.post(`/api/transactions/${deal.id}/verify`),
  ]);
  for (let i = 0; i < 100 && !(await payments(deal))[0]?.matched; i++) await Bun.sleep(50);
  expect(await payments(deal)).toEqual([{ by_hand: true, matched: true, amount: 110_000 }]);
  expect(await books(deal.id)).toEqual(once);
  expect((await noticesOf(deal.roomId)).filter((code) => code === "paymentConfirmed")).toHaveLength(1);
});

test("a second payment of the same sum, reported with the first, is excess and no match", async () => {
  const deal = await paidInTheDark();
  await payAt(deal.buyer, deal.invoiceId, { callback: false });
  const slip = { amount: 110_000, reference: `SLIP-${deal.id}` };
  must(await confirm(first, deal, slip), 200);
  must(await confirm(second, deal, slip), 200);
  await behave({ reset: true });
  must(await deal.buyer.post(`/api/transactions/${deal.id}/verify`), 200);
  for (let i = 0; i < 100 && (await payments(deal)).length < 2; i++) await Bun.sleep(50);
  expect(await payments(deal)).toEqual([
    { by_hand: true, matched: true, amount: 110_000 },
    { by_hand: false, matched: true, amount: 110_000 },
  ]);
  const { "provider:qpay": received, [`escrow:${deal.id}`]: held } = await books(deal.id);
  expect([received, held]).toEqual([-220_000, 110_000]);
});

test("after it ledger and log are sound", async () => {
  expect(await faults()).toEqual([]);
});
