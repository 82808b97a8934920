import { and, desc, eq, gt, isNull, ne } from "drizzle-orm";
import { db } from "#db/client";
import { roomLimits } from "../../constants.ts";
import { countersTable, membersTable, roomsTable } from "../core/schema.ts";
import { countUnreadIn } from "./unread-query.ts";

/** Counting ends with this number, which is shown as "99+"; it also limits the rooms that are looked into. */
const maxCounted = roomLimits.unreadShown + 1;

/**
 * The number of messages and notices of others that the person has not read, over all their rooms but `exceptRoomId`, up to 100. As in a
 * row of the list, messages that no chat shows do not count.
 */
export async function countUnread(userId: number, exceptRoomId?: number): Promise<number> {
  const rooms = await db()
    .select({ id: roomsTable.id, createdAt: roomsTable.createdAt, activeAt: countersTable.activeAt })
    .from(membersTable)
    .innerJoin(countersTable, eq(countersTable.roomId, membersTable.roomId))
    .innerJoin(roomsTable, and(eq(roomsTable.id, membersTable.roomId), isNull(roomsTable.deletedAt)))
    .where(
      and(
        eq(membersTable.userId, userId),
        isNull(membersTable.hiddenAt),
        gt(countersTable.lastSeq, membersTable.readSeq),
        exceptRoomId === undefined ? undefined : ne(membersTable.roomId, exceptRoomId),
      ),
    )
    .orderBy(desc(countersTable.activeAt))
    .limit(maxCounted);
  return Math.min(maxCounted, await countUnreadIn(rooms, userId));
}
