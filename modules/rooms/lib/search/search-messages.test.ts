import { expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  aPair,
  inviteCodeOf,
  someone,
  type TestPerson,
  unthrottled,
  withoutTrades,
} from "../core/rooms.fixture.ts";
import { joinByCode } from "../membership/join-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { sendMessage } from "../messages/send-message.ts";
import { searchMessages } from "./search-messages.ts";

useDatabase();
unthrottled();
withoutTrades();

async function search(by: TestPerson, roomId: number, q: string) {
  const found = await searchMessages(by.actor, roomId, { q });
  return found.ok ? found.messages.map(({ excerpt }) => excerpt) : found.code;
}

test("words are found in any case; ё counts as е, and ү and ө are letters of their own", async () => {
  const { seller, buyer, roomId } = await aPair();
  for (const content of ["ЁЛКА Үнэ ӨНДӨР", "Steam KEY 100%_\\", "Унэ"])
    await sendMessage(seller.actor, roomId, { content });
  expect(await search(buyer, roomId, "елка")).toEqual(["ЁЛКА Үнэ ӨНДӨР"]);
  expect(await search(buyer, roomId, "ёлка үнэ өндөр")).toEqual(["ЁЛКА Үнэ ӨНДӨР"]);
  expect(await search(buyer, roomId, "УНЭ")).toEqual(["Унэ"]);
  expect(await search(buyer, roomId, " steam key ")).toEqual(["Steam KEY 100%_\\"]);
  expect(await search(buyer, roomId, "%_\\")).toEqual(["Steam KEY 100%_\\"]);
  expect(await search(buyer, roomId, "_")).toEqual(["Steam KEY 100%_\\"]);
  expect(await search(buyer, roomId, "joined")).toEqual([]);
  expect(await search(buyer, roomId, "  ")).toBe("VALIDATION");
});

test("a long message is shown around the words", async () => {
  const { seller, roomId } = await aPair();
  await sendMessage(seller.actor, roomId, { content: `${"а".repeat(300)} код 7788 ${"б".repeat(300)}` });
  const [excerpt = ""] = await search(seller, roomId, "КОД 7788");
  expect(excerpt).toContain("код 7788");
  expect(excerpt).toStartWith("…");
  expect(excerpt.length).toBeLessThan(140);
});

test("an outsider finds nothing, and a later member nothing from before they joined", async () => {
  const { seller, buyer, roomId } = await aPair();
  await sendMessage(buyer.actor, roomId, { content: "account 5000123456" });
  expect(await search(await someone("Stranger"), roomId, "account")).toBe("CHAT_ROOM_NOT_FOUND");
  await leaveRoom(buyer.actor, roomId);
  const late = await someone("Late");
  await joinByCode(late.actor, { code: await inviteCodeOf(seller, roomId) });
  expect(await search(late, roomId, "account")).toEqual([]);
  expect(await search(seller, roomId, "account")).toEqual(["account 5000123456"]);
  expect(await search(buyer, roomId, "account")).toBe("CHAT_ROOM_NOT_FOUND");
});

test("after ten searches in a row a person waits", async () => {
  overrideConfig({ THROTTLE_FACTOR: 1 });
  const { seller, roomId } = await aPair();
  const outcomes = [];
  for (let n = 0; n < 11; n++) outcomes.push(await search(seller, roomId, "x"));
  overrideConfig({ THROTTLE_FACTOR: 10_000 });
  expect(outcomes.at(9)).toEqual([]);
  expect(outcomes.at(10)).toBe("THROTTLED");
});
