import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { expectStatus, type Person, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { endPaymentWindow } from "../support/trades/end-payment-window.ts";
import {
  payAt,
  refundAccount,
  requestPayment,
  type ServerTrade,
  untilStatus,
} from "../support/trades/server-trades.ts";
import { findBookFaults, noticesOf, readTradeBalances } from "../support/trades/trade-books.ts";

/**
 * Money that does not fit, from the payer's bank until it is back: how it was paid, what page and notices say, where it lies,
 * whose account is asked for, and that nothing is left at the end.
 */

let server: Server;
let admin: Client;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

type Case = {
  pay: (deal: ServerTrade) => Promise<unknown>;
  status: string;
  /** Sums that the room's notices report for the trade, in tugrik. */
  notices: string[];
  /** Tugrik that came in; held for the trade; of no trade. */
  received: number;
  held: number;
  suspense: number;
};

const whole = (deal: ServerTrade) => payAt(deal.buyer, deal.invoiceId);
const cases: Record<string, Case> = {
  "late, after the seller withdrew": {
    pay: async (deal) => {
      expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/withdraw`), 200);
      await whole(deal);
    },
    ...{ status: "cancelled", notices: ["paymentWithdrawn", "excessReceived"] },
    ...{ received: 110_000, held: 0, suspense: 110_000 },
  },
  "late, after the window ended": {
    pay: async (deal) => {
      await endPaymentWindow(deal);
      await whole(deal);
    },
    ...{ status: "cancelled", notices: ["paymentExpired", "excessReceived"] },
    ...{ received: 110_000, held: 0, suspense: 110_000 },
  },
  "short, and the rest never came": {
    pay: async (deal) => {
      await payAt(deal.buyer, deal.invoiceId, { amount: 30_000 });
      const { remainingAmount } = await untilStatus(deal, "payment_processing");
      expect(remainingAmount).toBe(80_000);
      expect(await pageOf(deal.buyer, deal)).toContain("80,000 ₮");
      await endPaymentWindow(deal);
    },
    ...{ status: "cancelled", notices: ["paymentPartial", "paymentExpired"] },
    ...{ received: 30_000, held: 30_000, suspense: 0 },
  },
  "short, and the rest in full": {
    pay: async (deal) => {
      await payAt(deal.buyer, deal.invoiceId, { amount: 30_000 });
      await untilStatus(deal, "payment_processing");
      const rest = expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/payment`), 200).body;
      await payAt(deal.buyer, rest.invoiceId);
    },
    ...{ status: "payment_confirmed", notices: ["paymentPartial", "paymentConfirmed"] },
    ...{ received: 110_000, held: 110_000, suspense: 0 },
  },
  "twice, by one QR": {
    pay: async (deal) => {
      await whole(deal);
      await untilStatus(deal, "payment_confirmed");
      await whole(deal);
    },
    ...{ status: "payment_confirmed", notices: ["paymentConfirmed", "excessReceived"] },
    ...{ received: 220_000, held: 110_000, suspense: 110_000 },
  },
  "twice, by the QR of before too": {
    pay: async (deal) => {
      const at = `/api/transactions/${deal.id}`;
      await db().execute(sql`UPDATE payments.invoices SET expires_at = now() WHERE reference = ${deal.id}`);
      const fresh = expectStatus(await deal.buyer.post(`${at}/payment`), 200).body;
      expect(fresh.invoiceId).not.toBe(deal.invoiceId);
      await payAt(deal.buyer, fresh.invoiceId);
      await untilStatus(deal, "payment_confirmed");
      await whole(deal);
    },
    ...{ status: "payment_confirmed", notices: ["paymentConfirmed", "excessReceived"] },
    ...{ received: 220_000, held: 110_000, suspense: 110_000 },
  },
  "in excess": {
    pay: (deal) => payAt(deal.buyer, deal.invoiceId, { amount: 115_000 }),
    ...{ status: "payment_confirmed", notices: ["paymentConfirmed", "excessReceived"] },
    ...{ received: 115_000, held: 110_000, suspense: 5_000 },
  },
};

const pageOf = async (who: Client, { roomId }: ServerTrade) =>
  visibleText(expectStatus(await who.get(`/chat/${roomId}`), 200).text);

/** Waits until the ledger has booked all that came in; answers its accounts, suspense under one name. */
async function booked(deal: ServerTrade, received: number): Promise<Record<string, number>> {
  for (let i = 0; i < 200 && (await readTradeBalances(deal.id))["provider:qpay"] !== -received; i++)
    await Bun.sleep(50);
  const accounts = Object.entries(await readTradeBalances(deal.id)).map(([name, sum]) => [
    name.replace(/:\d+$/, ""),
    sum,
  ]);
  return Object.fromEntries(accounts);
}

const mailsTo = async (who: Person, template: string) => {
  const rows = await db().execute(
    sql`SELECT 1 FROM mailer.messages WHERE user_id = ${who.id} AND template = ${template}`,
  );
  return rows.length;
};

type Task = { id: number; transactionId: number; amount: number; state: string };
/** What of the trade waits to be sent back, as the desk's list has it. */
async function refundsOf(deal: ServerTrade): Promise<Task[]> {
  const { payouts } = expectStatus(await admin.get("/api/admin/queue"), 200).body as unknown as {
    payouts: Task[];
  };
  return payouts.filter(({ transactionId }) => transactionId === deal.id);
}

test.each(Object.entries(cases))("paid %s", async (_, { pay, status, notices, received, held, suspense }) => {
  const deal = await requestPayment(server);
  await pay(deal);
  await untilStatus(deal, status);
  const where = { "provider:qpay": -received, ...(held && { escrow: held }), ...(suspense && { suspense }) };
  expect(await booked(deal, received)).toEqual(where);
  const said = await noticesOf(deal.roomId);
  expect(said.filter((code) => !["joined", "paymentQr", "paymentRequested"].includes(code))).toEqual(notices);

  // What belongs to no trade any more waits to go back; the buyer is asked where to, by page and mail.
  const due = [...(status === "cancelled" && held > 0 ? [held] : []), ...(suspense > 0 ? [suspense] : [])];
  expect((await refundsOf(deal)).map(({ amount, state }) => [amount, state])).toEqual(
    due.map((amount) => [amount, "due"]),
  );
  // One mail asks for the account of what the trade held, and says that it was cancelled; another one asks for that of an excess.
  expect([
    await mailsTo(deal.buyer, "tradeCancelled"),
    await mailsTo(deal.buyer, "refundAccountNeeded"),
  ]).toEqual([status === "cancelled" ? 1 : 0, suspense > 0 ? 1 : 0]);
  const page = await pageOf(deal.buyer, deal);
  const title = translateText("en", "trade.refund.title");
  expect([page.includes(title), page.includes(translateText("en", "info.refundTitle"))]).toEqual(
    due.length > 0 ? [true, true] : [false, false],
  );
  expect(await pageOf(deal.seller, deal)).not.toContain(title);

  // Whatever is still held goes back as well, so that the books close.
  if (status !== "cancelled")
    expectStatus(await admin.post(`/api/admin/transactions/${deal.id}/cancel`), 200);
  const at = `/api/transactions/${deal.id}`;
  expectStatus(await deal.buyer.post(`${at}/refund-destination`, refundAccount), 200);
  const tasks = await refundsOf(deal);
  expect(tasks.reduce((sum, { amount }) => sum + amount, 0)).toBe(received);
  for (const { id } of tasks) {
    expectStatus(await postAsShown(admin, `/api/admin/payouts/${id}/approve`), 200);
    expectStatus(
      await postAsShown(admin, `/api/admin/payouts/${id}/send`, { bankReference: `BACK-${id}` }),
      200,
    );
  }
  expect(await readTradeBalances(deal.id)).toEqual({ "provider:qpay": -received, bank: received });
  expect(await refundsOf(deal)).toEqual([]);
  expect(await mailsTo(deal.buyer, "refundSent")).toBe(tasks.length);
  expect((await noticesOf(deal.roomId)).filter((code) => code === "refundSent")).toHaveLength(tasks.length);
  expect(await pageOf(deal.buyer, deal)).toContain(translateText("en", "trade.refund.sent"));
  expect(expectStatus(await deal.buyer.get(at), 200).body).toMatchObject({
    status: "cancelled",
    turn: "none",
  });
});

test("nothing is left in suspense, the back office says so, and ledger and log are intact", async () => {
  expect(expectStatus(await admin.get("/api/admin/money"), 200).body.suspense).toEqual([]);
  expect(visibleText(expectStatus(await admin.get(paths.adminMoney), 200).text)).toContain(
    translateText("en", "admin.moneyDesk.nothing"),
  );
  expect(await findBookFaults()).toEqual([]);
});
