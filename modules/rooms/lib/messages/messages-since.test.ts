import { expect, test } from "bun:test";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, someone, unthrottled } from "../core/rooms.fixture.ts";
import { countMessagesSince } from "./messages-since.ts";
import { postNotice } from "./post-notice.ts";
import { sendMessage } from "./send-message.ts";

useDatabase();
unthrottled();

test("new messages are what others and Midman wrote after a message, as far as a chat shows it", async () => {
  const { seller, buyer, roomId } = await aPair();
  await sendMessage(seller.actor, roomId, { content: "2" });
  await sendMessage(buyer.actor, roomId, { content: "3" });
  await sendMessage(seller.actor, roomId, { content: "4" });
  const said = { roomId, params: { userId: seller.id }, at: currentTime() };
  await runInTransaction((tx) => postNotice(tx, { ...said, code: "joined" }));
  await runInTransaction((tx) => postNotice(tx, { ...said, code: "joined", type: "payment_qr" }));
  expect(await countMessagesSince(buyer.actor, roomId, 0)).toEqual({ ok: true, count: 4 });
  expect(await countMessagesSince(buyer.actor, roomId, 2)).toEqual({ ok: true, count: 2 });
  expect(await countMessagesSince(seller.actor, roomId, 2)).toEqual({ ok: true, count: 2 });
  expect(await countMessagesSince(buyer.actor, roomId, 5)).toEqual({ ok: true, count: 0 });
  const stranger = await someone();
  expect(await countMessagesSince(stranger.actor, roomId, 0)).toEqual({
    ok: false,
    code: "CHAT_ROOM_NOT_FOUND",
  });
});
