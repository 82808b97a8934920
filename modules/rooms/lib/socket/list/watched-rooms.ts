import { and, desc, eq, isNull, ne } from "drizzle-orm";
import { db } from "#db/client";
import { activityTable, membersTable, roomsTable } from "../../core/schema.ts";

/** So many of a person's rooms are listened to, those of the latest activity; older ones are up to date when the page is next opened. */
const maxWatchedRooms = 60;

/** The rooms that a person's list listens to, without the one that their page shows (`exceptRoomId`): one read of their own index, whatever else there is. */
export async function readWatchedRoomIds(userId: number, exceptRoomId?: number): Promise<number[]> {
  const rows = await db()
    .select({ roomId: activityTable.roomId })
    .from(activityTable)
    .innerJoin(
      membersTable,
      and(eq(membersTable.roomId, activityTable.roomId), eq(membersTable.userId, activityTable.userId)),
    )
    .innerJoin(roomsTable, eq(roomsTable.id, activityTable.roomId))
    .where(
      and(
        eq(activityTable.userId, userId),
        exceptRoomId === undefined ? undefined : ne(activityTable.roomId, exceptRoomId),
        isNull(membersTable.hiddenAt),
        isNull(roomsTable.deletedAt),
      ),
    )
    .orderBy(desc(activityTable.at), desc(activityTable.roomId))
    .limit(maxWatchedRooms);
  return rows.map(({ roomId }) => roomId);
}
