import { and, count, eq, gt, isNull, ne, notInArray, or } from "drizzle-orm";
import { db } from "#db/client";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { type RoomNotFound, roomNotFound } from "../core/refusals.ts";
import { membersTable, messagesTable } from "../core/schema.ts";
import { inRoomCondition } from "./conversation-span.ts";

/**
 * Number of messages of others and notices in a room after a `seq` that a chat shows the reader. It reads each of them: call it only if
 * there may be some. Refuses CHAT_ROOM_NOT_FOUND for outsiders.
 */
export async function countMessagesSince(
  actor: Actor,
  roomId: number,
  seq: number,
): Promise<{ ok: true; count: number } | NotSignedIn | RoomNotFound> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const [row] = await db()
    .select({ count: count(messagesTable.id) })
    .from(membersTable)
    .leftJoin(
      messagesTable,
      and(
        inRoomCondition(roomId),
        gt(messagesTable.seq, seq),
        gt(messagesTable.seq, membersTable.sinceSeq),
        or(isNull(messagesTable.senderId), ne(messagesTable.senderId, userId)),
        notInArray(messagesTable.type, ["payment", "payment_qr"]),
      ),
    )
    .where(and(eq(membersTable.roomId, roomId), eq(membersTable.userId, userId)))
    .groupBy(membersTable.userId);
  return row === undefined ? roomNotFound : { ok: true, count: row.count };
}
