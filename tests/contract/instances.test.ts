import { afterAll, beforeAll, expect, test } from "bun:test";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { expectStatus, type Person } from "../support/people/registered-people.ts";
import { createHttpClient } from "../support/server/http-client.ts";
import { type Server, startServers } from "../support/server/midman-server.ts";
import { payAt, requestPayment, type ServerTrade, untilStatus } from "../support/trades/server-trades.ts";
import { findBookFaults, noticesOf, readTradeBalances } from "../support/trades/trade-books.ts";

/** Two instances on one database: a person may meet either, at every step. */

let servers: Server[];

beforeAll(async () => {
  servers = await startServers(2);
  connectDatabase(servers[0]?.databaseUrl ?? "");
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  for (const server of servers ?? []) await server.stop();
});

/** The same person, as the instance at `url` meets them. */
function at(url: string, person: Person): Person {
  return { ...person, ...createHttpClient(url, { Cookie: person.cookies() }) };
}

test("a trade whose steps alternate between instances ends once, and its money is booked once", async () => {
  const [one, two] = servers;
  if (one === undefined || two === undefined) throw new Error("two servers were asked for");
  const deal: ServerTrade = await requestPayment(one);
  const [buyer, seller] = [at(two.url, deal.buyer), at(two.url, deal.seller)];
  const path = `/api/transactions/${deal.id}`;
  expect(expectStatus(await buyer.post(`${path}/payment`), 200).body.invoiceId).toBe(deal.invoiceId);
  await Promise.all([
    payAt(buyer, deal.invoiceId, { callback: 5 }),
    ...[deal.buyer, buyer].flatMap((who) => Array.from({ length: 10 }, () => who.post(`${path}/verify`))),
  ]);
  await untilStatus(deal, "payment_confirmed");
  expect(await readTradeBalances(deal.id)).toEqual({
    "provider:qpay": -110_000,
    [`escrow:${deal.id}`]: 110_000,
  });
  expectStatus(await seller.post(`${path}/hand-over`), 200);
  const both = await Promise.all(
    [deal.buyer, buyer].flatMap((who) => Array.from({ length: 10 }, () => who.post(`${path}/complete`))),
  );
  expect(both.every(({ status }) => status === 200)).toBe(true);
  expect(expectStatus(await deal.seller.get(path), 200).body.status).toBe("exchange_completed");
  const notices = await noticesOf(deal.roomId);
  for (const code of ["paymentConfirmed", "handedOver", "buyerConfirmed"]) {
    expect(notices.filter((notice) => notice === code)).toEqual([code]);
  }
  expect(await findBookFaults()).toEqual([]);
});

test("signing out at one instance signs out at the other", async () => {
  const [one, two] = servers;
  if (one === undefined || two === undefined) throw new Error("two servers were asked for");
  const { buyer, id } = await requestPayment(one);
  const there = at(two.url, buyer);
  expectStatus(await there.get(`/api/transactions/${id}`), 200);
  expectStatus(await buyer.post("/api/auth/logout"), 200);
  expect((await there.get(`/api/transactions/${id}`)).status).toBe(401);
});
