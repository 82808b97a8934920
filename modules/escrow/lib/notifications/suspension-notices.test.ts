import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { daysAfter, formatDay } from "#format";
import { liftRestriction, notifyExpiredSuspensions, restrictPerson } from "#modules/identity";
import { statementsWaiting, whileHeld } from "../../../../tests/support/database/held-locks.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createPaidTrade,
  createTradeRoom,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";
import { createTrade } from "../trade/create-trade.ts";
import { readTrade } from "../trade/view/trade-view.ts";

useDatabase();
useSandboxProvider();

const suspension = (days = 3) => {
  const until = daysAfter(formatDay(new Date()), days);
  return { kind: "suspend", cause: "fraud", note: "two reports", forGood: false, until } as const;
};

/** The suspension notices of a room, in order. */
async function noticesIn(roomId: number): Promise<string[]> {
  const rows = await db().execute<{ code: string }>(sql`
    SELECT code FROM rooms.messages WHERE room_id = ${roomId} AND code ~ '(Away|AwayUnpaid|Back)$' ORDER BY seq`);
  return rows.map(({ code }) => code);
}

/** Who cannot answer for now, as the buyer's own view of the trade says. */
async function unavailableIn({ buyer, id }: Awaited<ReturnType<typeof createPaidTrade>>) {
  const found = await readTrade(buyer, id);
  return found.ok && found.trade.unavailable;
}

test("the other side of a trade that starts at the moment of a suspension is notified", async () => {
  const { seller, buyer, admin, roomId } = await createTradeRoom();
  const asked = { chatRoomId: roomId, amount: 20_000, feePayer: "buyer" } as const;
  let suspended: ReturnType<typeof restrictPerson> | undefined;
  const done = { suspended: false };
  // The trade is written, but its notice waits for the room's counter: no other transaction can see the trade yet.
  const begun = await whileHeld(
    [sql`SELECT FROM rooms.counters WHERE room_id = ${roomId} FOR UPDATE`],
    () => createTrade(seller, asked),
    async () => {
      suspended = restrictPerson(admin, buyer.userId, suspension());
      suspended.then(() => {
        done.suspended = true;
      });
      await waitUntil(async () => done.suspended || (await statementsWaiting()) > 1, 10_000);
    },
  );
  expect(begun).toMatchObject({ ok: true, changed: true });
  expect(await suspended).toEqual({ ok: true, changed: true });
  expect(await noticesIn(roomId)).toEqual(["buyerAwayUnpaid"]);
});

test("the other side is notified once when a suspension runs out, not of one that was lifted or replaced", async () => {
  const deal = await createPaidTrade();
  const lifted = await createPaidTrade();
  const again = await createPaidTrade();
  for (const { admin, seller } of [deal, lifted, again])
    expect(await restrictPerson(admin, seller.userId, suspension(0))).toEqual({ ok: true, changed: true });
  expect(await liftRestriction(lifted.admin, lifted.seller.userId, { note: "a mistake" })).toMatchObject({
    ok: true,
  });
  await restrictPerson(again.admin, again.seller.userId, suspension(5));
  await notifyExpiredSuspensions(new Date());
  expect(await noticesIn(deal.roomId)).toEqual(["sellerAway"]);
  expect(await unavailableIn(deal)).toEqual(["seller"]);
  const after = new Date(Date.now() + 86_400_000);
  const unset = setClock(() => after);
  try {
    await Promise.all([notifyExpiredSuspensions(after), notifyExpiredSuspensions(after)]);
    await notifyExpiredSuspensions(after);
    expect([await unavailableIn(deal), await unavailableIn(again)]).toEqual([[], ["seller"]]);
  } finally {
    unset();
  }
  expect(await unavailableIn(lifted)).toEqual([]);
  expect(await noticesIn(deal.roomId)).toEqual(["sellerAway", "sellerBack"]);
  expect(await noticesIn(lifted.roomId)).toEqual(["sellerAway", "sellerBack"]);
  expect(await noticesIn(again.roomId)).toEqual(["sellerAway"]);
});

test("the other side of a trade that began after a suspension had run out is not notified of its end", async () => {
  const { seller, admin, roomId } = await createTradeRoom();
  expect(await restrictPerson(admin, seller.userId, suspension(0))).toEqual({ ok: true, changed: true });
  const after = new Date(Date.now() + 86_400_000);
  const unset = setClock(() => after);
  try {
    const asked = { chatRoomId: roomId, amount: 20_000, feePayer: "buyer" } as const;
    expect(await createTrade(seller, asked)).toMatchObject({ ok: true, changed: true });
    await notifyExpiredSuspensions(after);
  } finally {
    unset();
  }
  expect(await noticesIn(roomId)).toEqual([]);
});
