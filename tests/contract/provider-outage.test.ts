import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { payAt, requestPayment, type ServerTrade, untilStatus } from "../support/trades/server-trades.ts";
import { findBookFaults, noticesOf, readTradeBalances } from "../support/trades/trade-books.ts";

/** The provider is away while buyers pay: two administrators confirm what they saw, and its later word of it is the same money. */

let server: Server;
let first: Client;
let second: Person;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  [first, second] = await Promise.all([signInAdministrator(server), registerPerson(server, "Second Desk")]);
  await setRight(second.id, true);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const behave = async (how: object) => expectStatus(await first.post("/sandbox/qpay/behave", how), 200);
const confirm = (who: Client, { id }: ServerTrade, body: object) =>
  who.post(`/api/admin/transactions/${id}/confirm-payment`, body);
const payments = async ({ id }: ServerTrade) => {
  const rows = await db().execute<{ by_hand: boolean; matched: boolean; amount: string }>(sql`
    SELECT confirmed_by IS NOT NULL AS by_hand, provider_payment_id IS NOT NULL AS matched, amount
    FROM payments.payments WHERE reference = ${id} ORDER BY id`);
  return rows.map(({ amount, ...row }) => ({ ...row, amount: Number(amount) }));
};

const holdsNow = async ({ id }: ServerTrade) => {
  const rows = await db().execute<{ reason: string }>(
    sql`SELECT reason FROM payments.holds WHERE reference = ${id} AND closed_at IS NULL`,
  );
  return rows.map(({ reason }) => reason);
};

/** The buyer has paid and the provider does not say so, neither by itself nor asked. */
async function paidInTheDark(): Promise<ServerTrade> {
  const deal = await requestPayment(server);
  await behave({ operation: "check", fail: 503, nextCalls: "all" });
  await payAt(deal.buyer, deal.invoiceId, { callback: false });
  const asked = await deal.buyer.post(`/api/transactions/${deal.id}/verify`);
  expect(asked.body.success).toBe(false);
  expect(await readTradeBalances(deal.id)).toEqual({});
  return deal;
}

test("a manual confirmation needs a reference and a second person, lets the trade continue, and is booked once when the provider is back", async () => {
  const deal = await paidInTheDark();
  const slip = { amount: 110_000, reference: `SLIP-${deal.id}` };
  expect((await confirm(first, deal, { amount: 110_000 })).status).toBe(422);
  expect((await confirm(first, deal, { ...slip, reference: " " })).status).toBe(422);
  expect((await confirm(deal.buyer, deal, slip)).status).toBe(403);
  expectStatus(await confirm(first, deal, slip), 200);
  expectStatus(await confirm(first, deal, slip), 200);
  expect(await readTradeBalances(deal.id)).toEqual({});
  expect((await confirm(second, deal, { ...slip, amount: 100_000 })).body.code).toBe("PROPOSAL_DIFFERS");
  expectStatus(await confirm(second, deal, slip), 200);
  await untilStatus(deal, "payment_confirmed");
  expectStatus(await confirm(second, deal, slip), 200);
  const once = { "provider:qpay": -110_000, [`escrow:${deal.id}`]: 110_000 };
  expect(await readTradeBalances(deal.id)).toEqual(once);
  expect(await payments(deal)).toEqual([{ by_hand: true, matched: false, amount: 110_000 }]);

  await behave({ reset: true });
  await Promise.all([
    deal.buyer.post(`/api/transactions/${deal.id}/verify`),
    deal.buyer.post(`/api/transactions/${deal.id}/verify`),
  ]);
  for (let i = 0; i < 100 && !(await payments(deal))[0]?.matched; i++) await Bun.sleep(50);
  expect(await payments(deal)).toEqual([{ by_hand: true, matched: true, amount: 110_000 }]);
  expect(await readTradeBalances(deal.id)).toEqual(once);
  expect((await noticesOf(deal.roomId)).filter((code) => code === "paymentConfirmed")).toHaveLength(1);
});

test("a second payment of the same amount, reported with the first, is excess and no match", async () => {
  const deal = await paidInTheDark();
  await payAt(deal.buyer, deal.invoiceId, { callback: false });
  const slip = { amount: 110_000, reference: `SLIP-${deal.id}` };
  expectStatus(await confirm(first, deal, slip), 200);
  expectStatus(await confirm(second, deal, slip), 200);
  await behave({ reset: true });
  expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/verify`), 200);
  for (let i = 0; i < 100 && (await payments(deal)).length < 2; i++) await Bun.sleep(50);
  expect(await payments(deal)).toEqual([
    { by_hand: true, matched: true, amount: 110_000 },
    { by_hand: false, matched: true, amount: 110_000 },
  ]);
  const { "provider:qpay": received, [`escrow:${deal.id}`]: held } = await readTradeBalances(deal.id);
  expect([received, held]).toEqual([-220_000, 110_000]);
});

test("pages and mail say that nobody can agree to cancel a paid trade while the provider's answer is missing", async () => {
  // Paid by bank transfer, so that the provider has nothing to say of it when it is back.
  const deal = await requestPayment(server);
  await behave({ operation: "check", fail: 503, nextCalls: "all" });
  expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/verify`), 200);
  const slip = { amount: 110_000, reference: `SLIP-${deal.id}` };
  expectStatus(await confirm(first, deal, slip), 200);
  expectStatus(await confirm(second, deal, slip), 200);
  await untilStatus(deal, "payment_confirmed");
  const call = `/api/transactions/${deal.id}`;
  const paid = expectStatus(await deal.seller.get(call), 200).body;
  expect([paid.onHold, paid.heldForChecking, await holdsNow(deal)]).toEqual([
    true,
    false,
    ["CHECK_UNANSWERED"],
  ]);
  const roomOf = async (who: Person) =>
    visibleText(expectStatus(await who.get(`/chat/${deal.roomId}`), 200).text);
  const onceChecked = "The other person can agree only once";
  expect(await roomOf(deal.buyer)).toContain(`${onceChecked} the check is finished.`);
  expectStatus(await deal.buyer.post(`${call}/cancel`), 200);
  expect(await roomOf(deal.buyer)).toContain(
    `You asked to cancel. ${onceChecked} Midman's check is finished.`,
  );
  expect(await roomOf(deal.seller)).toContain("you can only decline");
  const box = `/sandbox/mail.json?to=${encodeURIComponent(deal.seller.email)}`;
  const mailed = async () => expectStatus(await server.client().get(box), 200).text;
  for (let i = 0; i < 100 && !(await mailed()).includes("Cancellation requested"); i++) await Bun.sleep(50);
  expect(await mailed()).toContain("Midman is checking this transaction, so for now you can only decline.");
  expect((await deal.seller.post(`${call}/cancel`)).body.code).toBe("TRADE_ON_HOLD");
  await behave({ reset: true });
  expectStatus(await deal.buyer.post(`${call}/verify`), 200);
  expect(expectStatus(await deal.seller.get(call), 200).body.onHold).toBe(false);
});

test("finally ledger and log are intact", async () => {
  expect(await findBookFaults()).toEqual([]);
});
