import { afterEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { hasText } from "#locales";
import { tradeStatuses } from "#modules/escrow";
import { useDatabase } from "../../../tests/support/database/test-database.ts";
import { plantRoom, plantTrade, plantUser } from "../../../tests/support/trades/planted-trades.ts";
import { readRoomList } from "./read-room-list.ts";

useDatabase();
const before = config();
afterEach(() => overrideConfig(before));

test("a search that is too frequent says how long to wait; the list without a search still works", async () => {
  const [one, other] = [await plantUser(), await plantUser()];
  await plantRoom(one.userId, other.userId);
  const asked = async (query: string) => {
    const { rooms, wait } = await readRoomList(one, new URLSearchParams(query));
    return [rooms.length, wait > 0];
  };
  overrideConfig({ THROTTLE_FACTOR: 0.05 });
  expect(await asked("q=room")).toEqual([1, false]);
  expect(await asked("q=room&before=nonsense")).toEqual([1, false]);
  expect(await asked("q=room")).toEqual([0, true]);
  expect(await asked("")).toEqual([1, false]);
  expect(await asked("before=nonsense")).toEqual([1, false]);
});

test.each([...tradeStatuses])(
  "%s: either side's row says what is next, in a text that exists",
  async (status) => {
    const planted = await plantTrade(status);
    for (const side of ["buyer", "seller"] as const) {
      const { rooms } = await readRoomList(planted[side], new URLSearchParams());
      const row = rooms.find(({ id }) => id === planted.roomId);
      expect([row?.next?.key, hasText(row?.next?.key ?? "")]).toEqual([row?.next?.key, true]);
      expect(hasText(`trade.chip.${row?.trade?.money}`)).toBe(true);
      expect(row?.trade?.sum?.sum).toMatch(/₮$/);
      const over = ["completed", "cancelled"].includes(status);
      expect(row?.group === "finished").toBe(over);
    }
  },
);

test("a deadline of the reader's leads the list although 25 rooms were active since; the pages follow each other", async () => {
  const { roomId, buyer } = await plantTrade("payment_initiated");
  const other = await plantUser();
  const later: number[] = [];
  for (let n = 0; n < 25; n++) later.push(await plantRoom(other.userId, buyer.userId));
  const first = await readRoomList(buyer, new URLSearchParams());
  expect(first.rooms.map(({ id }) => id)).toEqual([roomId, ...later.slice(2).reverse()]);
  const second = await readRoomList(buyer, new URLSearchParams({ before: first.next ?? "" }));
  expect(second.rooms.map(({ id }) => id)).toEqual(later.slice(0, 2).reverse());
  expect(second.rooms.map(({ group, groupSize }) => [group, groupSize])).toEqual([
    ["waiting", 25],
    ["waiting", 25],
  ]);
});
