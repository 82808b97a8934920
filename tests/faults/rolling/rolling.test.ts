import { expect, test } from "bun:test";
import { connectDatabase, disconnectDatabase } from "../../../db/client.ts";
import { expectStatus } from "../../support/people/registered-people.ts";
import { createHttpClient } from "../../support/server/http-client.ts";
import { payAt, requestPayment, untilStatus } from "../../support/trades/server-trades.ts";
import { findBookFaults, readTradeBalances } from "../../support/trades/trade-books.ts";
import { behindProxy, run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`two instances are restarted one after the other under load: no request fails, no message is lost (seed ${seed})`, async () => {
  const { failures, counts } = await run({ seed, restarts: 2, rooms: 4, drainSeconds: 2 });
  expect(failures).toEqual([]);
  expect(counts).toMatchObject({ restarts: 2, phones: 8, failedRequests: 0, lost: 0, doubled: 0, views: 8 });
  for (const kind of ["pages", "posts", "forms", "said", "socketsClosed"]) {
    expect([kind, (counts[kind] ?? 0) >= 8]).toEqual([kind, true]);
  }
}, 240_000);

test("two instances behind a proxy act as one: someone sent to each in turn trades as usual", async () => {
  const world = await behindProxy();
  connectDatabase(world.postgres.url);
  try {
    const door = { ...world, client: () => createHttpClient(world.proxy.url) };
    const deal = await requestPayment(door as never);
    const met = new Set<string | null>();
    for (let n = 0; n < 6; n++) {
      for (const path of ["/chat", `/chat/${deal.roomId}`, `/api/transactions/${deal.id}`]) {
        met.add(expectStatus(await deal.buyer.get(path), 200).headers.get("x-instance"));
      }
    }
    expect([...met].sort()).toEqual(["midman0", "midman1"]);
    await payAt(deal.buyer, deal.invoiceId, { callback: 3 });
    await untilStatus(deal, "payment_confirmed");
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      [`escrow:${deal.id}`]: 110_000,
    });
    expectStatus(await deal.seller.post("/api/auth/logout"), 200);
    for (let n = 0; n < 4; n++) expect((await deal.seller.get("/api/auth/user")).status).toBe(401);
    expect(await findBookFaults()).toEqual([]);
  } finally {
    await disconnectDatabase();
    await world.close();
  }
}, 120_000);
