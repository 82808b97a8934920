import { inArray } from "drizzle-orm";
import { db } from "#db/client";
import { findPeople, type Member } from "#modules/identity";
import { findSeats } from "../core/participants.ts";
import { roomsTable } from "../core/schema.ts";

/** A room's name and the other member's display name, null while there is none. */
type RoomNames = { room: string; other: string | null };

/**
 * The names of these rooms for one of their members, by room, including rooms that were deleted after their trade. Rooms of other people
 * are left out. Three queries, however many rooms.
 */
export async function readRoomNames(
  { userId }: Member,
  roomIds: readonly number[],
): Promise<Map<number, RoomNames>> {
  const seats = await findSeats([...roomIds]);
  const own = seats.filter((seat) => seat.userId === userId).map(({ roomId }) => roomId);
  if (own.length === 0) return new Map();
  const others = new Map(
    seats.filter((seat) => seat.userId !== userId).map((seat) => [seat.roomId, seat.userId]),
  );
  const [people, rooms] = await Promise.all([
    findPeople(db(), [...others.values()]),
    db()
      .select({ id: roomsTable.id, name: roomsTable.name })
      .from(roomsTable)
      .where(inArray(roomsTable.id, own)),
  ]);
  return new Map(
    rooms.map(({ id, name }) => [
      id,
      { room: name, other: people.get(others.get(id) ?? 0)?.displayName ?? null },
    ]),
  );
}
