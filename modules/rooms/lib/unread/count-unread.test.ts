import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { readCatalogTexts } from "../../../../tests/support/sources/catalog-texts.ts";
import { ownActPatterns } from "../../constants.ts";
import { aPair, aRoom, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { joinByCode } from "../membership/join-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { markRead } from "../messages/mark-read.ts";
import { postNotice } from "../messages/post-notice.ts";
import { sendMessage } from "../messages/send-message.ts";
import { countUnread } from "./count-unread.ts";

useDatabase();
unthrottled();
withoutTrades();

test("unread messages of all rooms are counted together, without one's own and those of the open room", async () => {
  const { seller, buyer, roomId } = await aPair();
  const second = await aRoom(seller);
  await joinByCode(buyer.actor, { code: second.inviteCode });
  // The notices of the buyer's joining are unread for the seller.
  expect([await countUnread(buyer.id), await countUnread(seller.id)]).toEqual([0, 2]);
  await sendMessage(seller.actor, roomId, { content: "one" });
  await sendMessage(seller.actor, second.id, { content: "two" });
  await sendMessage(buyer.actor, second.id, { content: "three" });
  expect(await countUnread(buyer.id)).toBe(2);
  expect(await countUnread(buyer.id, roomId)).toBe(1);
  expect(await countUnread(buyer.id, second.id)).toBe(1);
  await markRead(buyer.actor, roomId, 2);
  expect(await countUnread(buyer.id)).toBe(1);
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

describe("a notice", () => {
  const noticeCodes = readCatalogTexts("en").flatMap(({ key }) => /^notices\.(\w+)$/.exec(key)?.[1] ?? []);
  const post = (roomId: number, code: string, params: Record<string, string | number> = {}) =>
    runInTransaction((tx) => postNotice(tx, { roomId, code, params, at: currentTime() }));

  test("of one party's act is unread for the other one alone; any other one is for both", async () => {
    const { seller, buyer, roomId } = await aPair();
    expect(noticeCodes.length).toBeGreaterThan(50);
    let known = [await countUnread(buyer.id), await countUnread(seller.id)];
    for (const code of noticeCodes) {
      await post(roomId, code);
      const unread = [await countUnread(buyer.id), await countUnread(seller.id)];
      const isOwn = [ownActPatterns.buyer, ownActPatterns.seller].map((acts) => new RegExp(acts).test(code));
      expect([code, ...unread.map((count, at) => count > (known[at] ?? 0))]).toEqual([
        code,
        ...isOwn.map((own) => !own),
      ]);
      known = unread;
    }
  });

  test("that names its person or their role is unread for the other one alone", async () => {
    const { seller, buyer, roomId } = await aPair();
    await markRead(seller.actor, roomId, 1);
    await post(roomId, "rolesSwitchedSeller", { userId: seller.id });
    expect([await countUnread(buyer.id), await countUnread(seller.id)]).toEqual([1, 0]);
    await post(roomId, "infoConfirmedByBoth", { by: "buyer" });
    await post(roomId, "cancelledByBoth", { by: "buyer" });
    expect([await countUnread(buyer.id), await countUnread(seller.id)]).toEqual([1, 2]);
  });
});
