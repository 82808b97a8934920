import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { groupRooms } from "./room-order.ts";
import { roomGroups } from "./types.ts";

type Room = Parameters<typeof groupRooms>[0][number];

const room = (id: number, group: Room["group"], activityAt: string, dueAt: string | null = null): Room => ({
  id,
  group,
  activityAt,
  next: dueAt === null ? null : { key: "k", sum: "", dueAt, overdue: false },
});

const idsOf = (rooms: readonly Room[]) =>
  groupRooms(rooms).map(({ group, rooms }) => [group, rooms.map(({ id }) => id)]);

describe("the order of the rooms", () => {
  test("the reader's turn comes first, then others', then what has ended; an empty group is left out", () => {
    expect(idsOf([room(1, "finished", "3"), room(2, "waiting", "2"), room(3, "yours", "1")])).toEqual([
      ["yours", [3]],
      ["waiting", [2]],
      ["finished", [1]],
    ]);
    expect(idsOf([room(1, "finished", "3")])).toEqual([["finished", [1]]]);
    expect(groupRooms([])).toEqual([]);
  });

  test("what the reader must do soonest is first; without a deadline, the latest activity", () => {
    const rooms = [
      room(1, "yours", "2026-11-01"),
      room(2, "yours", "2026-11-05", "2026-11-30"),
      room(3, "yours", "2026-11-04", "2026-11-29"),
      room(4, "yours", "2026-11-06"),
    ];
    expect(idsOf(rooms)).toEqual([["yours", [3, 2, 4, 1]]]);
  });

  test("another's deadline moves nothing, and of one moment the newer room is first", () => {
    const rooms = [
      room(1, "waiting", "2026-11-02", "2026-11-09"),
      room(2, "waiting", "2026-11-03"),
      room(3, "finished", "2026-11-03"),
      room(4, "finished", "2026-11-03"),
    ];
    expect(idsOf(rooms)).toEqual([
      ["waiting", [2, 1]],
      ["finished", [4, 3]],
    ]);
  });

  test("whatever order the rooms arrive in, each is shown once and the order is the same", () => {
    const moment = fc.constantFrom("2026-11-01", "2026-11-02", "2026-11-03");
    const one = fc.tuple(fc.constantFrom(...roomGroups), moment, fc.option(moment));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (list, lots) => {
        const rooms = list.map(([group, at, due], id) => room(id, group, at, due));
        const shuffled = rooms
          .map((each) => [lots.next().value ?? 0, each] as const)
          .sort(([a], [b]) => a - b)
          .map(([, each]) => each);
        expect(idsOf(shuffled)).toEqual(idsOf(rooms));
        expect(groupRooms(rooms).flatMap((part) => part.rooms)).toHaveLength(rooms.length);
      }),
    );
  });
});
