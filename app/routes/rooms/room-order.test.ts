import { expect, test } from "bun:test";
import { groupRooms } from "./room-order.ts";

test("the rooms of a page are cut where the group changes, each with the number of rooms on all pages", () => {
  const room = (id: number, group: "yours" | "waiting" | "finished", groupSize: number) => ({
    id,
    group,
    groupSize,
  });
  const rooms = [room(5, "yours", 30), room(9, "yours", 30), room(2, "finished", 4)];
  expect(groupRooms(rooms).map(({ group, size, rooms }) => [group, size, rooms.map(({ id }) => id)])).toEqual(
    [
      ["yours", 30, [5, 9]],
      ["finished", 4, [2]],
    ],
  );
  expect(groupRooms([])).toEqual([]);
});
