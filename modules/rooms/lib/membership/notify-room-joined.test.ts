import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { chooseNotifications } from "#modules/identity";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, aRoom, inviteCodeOf, someone, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { joinByCode } from "./join-room.ts";
import { leaveRoom } from "./leave-room.ts";

useDatabase();
unthrottled();
withoutTrades();

const mailed = (userId: number) =>
  db().execute<{ data: object }>(sql`
    SELECT data FROM mailer.messages WHERE user_id = ${userId} AND template = 'roomJoined' ORDER BY id`);

test("the present member is notified once that the other place was taken; the joining one is not", async () => {
  const { seller, buyer, roomId } = await aPair();
  const [mail, ...more] = await mailed(seller.id);
  expect(mail?.data).toEqual({
    name: "",
    other: "The buyer",
    room: "",
    url: `/chat/${roomId}`,
  });
  expect(more).toEqual([]);
  expect(await mailed(buyer.id)).toHaveLength(0);
  expect(await leaveRoom(buyer.actor, roomId)).toMatchObject({ ok: true });
  expect(await joinByCode(buyer.actor, { code: await inviteCodeOf(seller, roomId) })).toMatchObject({
    ok: true,
  });
  expect(await mailed(seller.id)).toHaveLength(1);
});

test("a member who turned the notification off gets none", async () => {
  const [creator, other] = await Promise.all([someone("Creator"), someone("Other")]);
  await chooseNotifications(creator.actor, { roomActivity: false });
  const room = await aRoom(creator);
  expect(await joinByCode(other.actor, { code: room.inviteCode })).toMatchObject({ ok: true });
  expect(await mailed(creator.id)).toHaveLength(0);
});
