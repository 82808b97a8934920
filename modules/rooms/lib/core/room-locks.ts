import { and, asc, eq, inArray } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { currentTime } from "#db/clock";
import { membersTable, type Role, type RoomRow, roomsTable } from "./schema.ts";

/** The members of a room by role. `active` is false once its trade has ended or the room is deleted. */
export type Seats = {
  roomId: number;
  name: string;
  createdById: number;
  buyerId: number | null;
  sellerId: number | null;
  active: boolean;
};

/**
 * Locks a room's row and returns its members, also of a deleted room (its trade goes on). This is the first lock of every change to a room
 * or its trade. Undefined if there is no such room.
 * NO KEY UPDATE blocks every other change but still allows inserting a member row that references the room.
 */
export async function lockRoom(tx: Tx, roomId: number): Promise<Seats | undefined> {
  const room = await lockRoomRow(tx, roomId);
  return room && seatsOf(tx, room);
}

/** Locks the rows of several rooms in order of their ids, for code that needs more than one of them. */
export async function lockRooms(tx: Tx, roomIds: readonly number[]): Promise<void> {
  if (roomIds.length === 0) return;
  await tx
    .select({ id: roomsTable.id })
    .from(roomsTable)
    .where(inArray(roomsTable.id, [...roomIds]))
    .orderBy(asc(roomsTable.id))
    .for("no key update");
}

/** Locks the room's row. The members are read by a later statement, which sees the changes that the lock waited for. */
export async function lockRoomRow(tx: Tx, roomId: number): Promise<RoomRow | undefined> {
  const [room] = await tx.select().from(roomsTable).where(eq(roomsTable.id, roomId)).for("no key update");
  return room;
}

/** A person's role in a room; null for an outsider. */
export async function memberRole(exec: Executor, roomId: number, userId: number): Promise<Role | null> {
  const [row] = await selectMemberRole(exec, { roomId, userId });
  return row?.role ?? null;
}

const selectMemberRole = prepareQuery<{ roomId: number; userId: number }>()("member_role", (exec, value) =>
  exec
    .select({ role: membersTable.role })
    .from(membersTable)
    .where(and(eq(membersTable.roomId, value("roomId")), eq(membersTable.userId, value("userId")))),
);

/** Whether a room exists for its members; a deleted one does not. */
export async function isRoomOpen(exec: Executor, roomId: number): Promise<boolean> {
  const [room] = await exec
    .select({ deletedAt: roomsTable.deletedAt })
    .from(roomsTable)
    .where(eq(roomsTable.id, roomId));
  return room !== undefined && room.deletedAt === null;
}

/** Marks a room as ended once its trade is over. The caller has locked the room. Repeating it keeps the first time. */
export async function endRoom(tx: Tx, roomId: number, at = currentTime()): Promise<void> {
  const [room] = await tx
    .select({ endedAt: roomsTable.endedAt })
    .from(roomsTable)
    .where(eq(roomsTable.id, roomId));
  if (room !== undefined && room.endedAt === null) {
    await tx.update(roomsTable).set({ endedAt: at }).where(eq(roomsTable.id, roomId));
  }
}

async function seatsOf(exec: Executor, room: RoomRow): Promise<Seats> {
  const rows = await exec
    .select({ userId: membersTable.userId, role: membersTable.role })
    .from(membersTable)
    .where(eq(membersTable.roomId, room.id));
  return {
    roomId: room.id,
    name: room.name,
    createdById: room.createdById,
    buyerId: rows.find(({ role }) => role === "buyer")?.userId ?? null,
    sellerId: rows.find(({ role }) => role === "seller")?.userId ?? null,
    active: room.endedAt === null && room.deletedAt === null,
  };
}
