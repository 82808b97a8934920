import { expect, test } from "bun:test";
import { transaction } from "#db/client";
import { now } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database.ts";
import { aPair, someone, unthrottled } from "../core/rooms.fixture.ts";
import { newSince } from "./messages-since.ts";
import { postNotice } from "./post-notice.ts";
import { sendMessage } from "./send-message.ts";

useDatabase();
unthrottled();

test("what is new is what others said and Midman told after a message, as far as a chat shows it", async () => {
  const { seller, buyer, roomId } = await aPair();
  await sendMessage(seller.actor, roomId, { content: "2" });
  await sendMessage(buyer.actor, roomId, { content: "3" });
  await sendMessage(seller.actor, roomId, { content: "4" });
  const said = { roomId, params: { userId: seller.id }, at: now() };
  await transaction((tx) => postNotice(tx, { ...said, code: "joined" }));
  await transaction((tx) => postNotice(tx, { ...said, code: "joined", type: "payment_qr" }));
  expect(await newSince(buyer.actor, roomId, 0)).toEqual({ ok: true, count: 4 });
  expect(await newSince(buyer.actor, roomId, 2)).toEqual({ ok: true, count: 2 });
  expect(await newSince(seller.actor, roomId, 2)).toEqual({ ok: true, count: 2 });
  expect(await newSince(buyer.actor, roomId, 5)).toEqual({ ok: true, count: 0 });
  const stranger = await someone();
  expect(await newSince(stranger.actor, roomId, 0)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
});
