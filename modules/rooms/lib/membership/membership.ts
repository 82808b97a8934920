import { and, eq, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { prepared } from "#db/prepared";
import { type MemberRow, members, type RoomRow, rooms } from "../core/schema.ts";

/** A standing room and the person's seat in it; undefined for outsiders and for deleted rooms. */
export async function membership(
  exec: Executor,
  roomId: number,
  userId: number,
): Promise<{ room: RoomRow; member: MemberRow } | undefined> {
  const [row] = await seated(exec, { roomId, userId });
  return row;
}

const seated = prepared<{ roomId: number; userId: number }>()("membership", (exec, value) =>
  exec
    .select({ room: rooms, member: members })
    .from(members)
    .innerJoin(rooms, eq(rooms.id, members.roomId))
    .where(
      and(eq(members.roomId, value("roomId")), eq(members.userId, value("userId")), isNull(rooms.deletedAt)),
    ),
);
