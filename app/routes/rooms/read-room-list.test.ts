import { afterEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { useDatabase } from "../../../tests/support/database/test-database.ts";
import { plantRoom, plantUser } from "../../../tests/support/trades/planted-trades.ts";
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
