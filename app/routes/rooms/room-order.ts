import { type RoomGroup, type RoomShown, roomGroups } from "./types.ts";

type Ordered = Pick<RoomShown, "id" | "group" | "next" | "activityAt">;

/**
 * The rooms of a page by who acts next, without empty groups. Where it is the reader's turn, what is due soonest comes first; the rest, and
 * the other groups, begin with the latest activity. Rooms of the same moment keep one order: the newer room first.
 */
export function groupRooms<Room extends Ordered>(
  rooms: readonly Room[],
): { group: RoomGroup; rooms: Room[] }[] {
  return roomGroups
    .map((group) => ({ group, rooms: rooms.filter((room) => room.group === group).sort(compareRooms) }))
    .filter((part) => part.rooms.length > 0);
}

function compareRooms(a: Ordered, b: Ordered): number {
  const [dueA, dueB] = [dueTime(a), dueTime(b)];
  if (dueA !== dueB) return dueA < dueB ? -1 : 1;
  if (a.activityAt !== b.activityAt) return a.activityAt < b.activityAt ? 1 : -1;
  return b.id - a.id;
}

/** Only the reader's own deadlines order the list: nobody can act on the others. */
function dueTime({ group, next }: Ordered): string {
  const never = "9";
  return group === "yours" ? (next?.dueAt ?? never) : never;
}
