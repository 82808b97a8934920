import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, aRoom, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { joinByCode } from "../membership/join-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { markRead } from "../messages/mark-read.ts";
import { sendMessage } from "../messages/send-message.ts";
import { countUnread } from "./count-unread.ts";

useDatabase();
unthrottled();
withoutTrades();

test("unread messages of all rooms are counted together, without one's own and those of the open room", async () => {
  const { seller, buyer, roomId } = await aPair();
  const second = await aRoom(seller);
  await joinByCode(buyer.actor, { code: second.inviteCode });
  // The notices of the buyer's joining are unread for either.
  expect(await countUnread(buyer.id)).toBe(2);
  await sendMessage(seller.actor, roomId, { content: "one" });
  await sendMessage(seller.actor, second.id, { content: "two" });
  await sendMessage(buyer.actor, second.id, { content: "three" });
  expect(await countUnread(buyer.id)).toBe(4);
  expect(await countUnread(buyer.id, roomId)).toBe(2);
  expect(await countUnread(buyer.id, second.id)).toBe(2);
  await markRead(buyer.actor, roomId, 2);
  expect(await countUnread(buyer.id)).toBe(2);
  await leaveRoom(buyer.actor, second.id);
  expect(await countUnread(buyer.id)).toBe(0);
});

test("counting ends at 100 over all rooms", async () => {
  const { seller, buyer, roomId } = await aPair();
  await db().execute(sql`
    WITH said AS (
      INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
      SELECT ${roomId}, n, ${seller.id}, gen_random_uuid(), 'text', 'x', now() FROM generate_series(2, 200) n)
    UPDATE rooms.counters SET last_seq = 200 WHERE room_id = ${roomId}`);
  const second = await aRoom(seller);
  await joinByCode(buyer.actor, { code: second.inviteCode });
  expect(await countUnread(buyer.id)).toBe(100);
});
