import { and, eq, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { type MemberRow, membersTable, type RoomRow, roomsTable } from "../core/schema.ts";

/** A room that is not deleted and the person's membership; undefined for outsiders and for deleted rooms. */
export async function findMembership(
  exec: Executor,
  roomId: number,
  userId: number,
): Promise<{ room: RoomRow; member: MemberRow } | undefined> {
  const [row] = await selectMembership(exec, { roomId, userId });
  return row;
}

const selectMembership = prepareQuery<{ roomId: number; userId: number }>()("membership", (exec, value) =>
  exec
    .select({ room: roomsTable, member: membersTable })
    .from(membersTable)
    .innerJoin(roomsTable, eq(roomsTable.id, membersTable.roomId))
    .where(
      and(
        eq(membersTable.roomId, value("roomId")),
        eq(membersTable.userId, value("userId")),
        isNull(roomsTable.deletedAt),
      ),
    ),
);
