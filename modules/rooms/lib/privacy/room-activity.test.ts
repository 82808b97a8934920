import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, inviteCodeOf, someone, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { joinByCode } from "../membership/join-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { setRole } from "../membership/set-role.ts";
import { markRead } from "../messages/mark-read.ts";
import { sendMessage } from "../messages/send-message.ts";

useDatabase();
unthrottled();
withoutTrades();

const places = (roomId: number) =>
  db().execute<{ user_id: string; at: Date }>(sql`
    SELECT user_id, at FROM rooms.activity WHERE room_id = ${roomId} ORDER BY user_id`);

test("a room has one position in each member's list, and none in former members' lists", async () => {
  const { seller, buyer, roomId } = await aPair();
  const who = async () => (await places(roomId)).map(({ user_id }) => Number(user_id));
  expect(await who()).toEqual([seller.id, buyer.id].sort((a, b) => a - b));
  await leaveRoom(buyer.actor, roomId);
  expect(await who()).toEqual([seller.id]);
  const code = await inviteCodeOf(seller, roomId);
  await joinByCode(buyer.actor, { code });
  await joinByCode(buyer.actor, { code });
  expect(await who()).toEqual([seller.id, buyer.id].sort((a, b) => a - b));
  await leaveRoom(buyer.actor, roomId);
  await leaveRoom(seller.actor, roomId);
  expect(await who()).toEqual([]);
});

test("positions move with the first message of a minute, and with no other", async () => {
  const { seller, roomId } = await aPair();
  const start = Date.now() + 120_000;
  const moved = async (ms: number) => {
    const undo = setClock(() => new Date(start + ms));
    await sendMessage(seller.actor, roomId, { content: "x" });
    undo();
    return (await places(roomId)).map(({ at }) => new Date(at).getTime() - start);
  };
  expect(await moved(0)).toEqual([0, 0]);
  expect(await moved(59_999)).toEqual([0, 0]);
  expect(await moved(60_000)).toEqual([60_000, 60_000]);
  // A clock that runs backwards does not move a room down.
  expect(await moved(1)).toEqual([60_000, 60_000]);
});

test("moving positions never deadlocks", async () => {
  const { seller, buyer, roomId } = await aPair();
  const third = await someone();
  let time = Date.now();
  // Each read of the clock is a minute later, so that every message and notice moves the room.
  const undo = setClock(() => {
    time += 60_000;
    return new Date(time);
  });
  const work = Array.from({ length: 25 }, (_, n) => [
    sendMessage(seller.actor, roomId, { content: `${n}` }),
    sendMessage(buyer.actor, roomId, { content: `${n}` }),
    markRead(buyer.actor, roomId, n),
    setRole(seller.actor, roomId, seller.id, n % 2 === 0 ? "buyer" : "seller"),
    leaveRoom(buyer.actor, roomId),
    inviteCodeOf(seller, roomId).then((code) =>
      joinByCode(n % 2 === 0 ? buyer.actor : third.actor, { code }),
    ),
  ]).flat();
  const done = await Promise.all(work.map((one) => one.then(({ ok }) => typeof ok)));
  undo();
  expect(new Set(done)).toEqual(new Set(["boolean"]));
  const seated = await db().execute<{ user_id: string }>(
    sql`SELECT user_id FROM rooms.members WHERE room_id = ${roomId} ORDER BY user_id`,
  );
  expect((await places(roomId)).map(({ user_id }) => user_id)).toEqual(seated.map(({ user_id }) => user_id));
});
