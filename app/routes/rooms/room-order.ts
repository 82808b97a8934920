import type { RoomShown } from "./types.ts";

/** The rooms of a page in their groups. They come in the order of the whole list, so that each group is one stretch of them. */
export function groupRooms<Room extends Pick<RoomShown, "group" | "groupSize">>(
  rooms: readonly Room[],
): { group: Room["group"]; size: number; rooms: Room[] }[] {
  const parts: { group: Room["group"]; size: number; rooms: Room[] }[] = [];
  for (const room of rooms) {
    const last = parts.at(-1);
    if (last?.group === room.group) last.rooms.push(room);
    else parts.push({ group: room.group, size: room.groupSize, rooms: [room] });
  }
  return parts;
}
