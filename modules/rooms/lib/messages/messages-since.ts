import { and, count, eq, gt, isNull, ne, notInArray, or } from "drizzle-orm";
import { db } from "#db/client";
import { type Actor, requireUser } from "#modules/identity";
import { noRoom } from "../core/refusals.ts";
import { members, messages } from "../core/schema.ts";
import { saidInRoom } from "./conversation-span.ts";

/**
 * How much others said and the server told in a room after a `seq`, of what a chat shows the reader. Reads each of them: ask only
 * where there may be some. Refuses CHAT_ROOM_NOT_FOUND to outsiders.
 */
export async function newSince(actor: Actor, roomId: number, seq: number) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const [row] = await db()
    .select({ count: count(messages.id) })
    .from(members)
    .leftJoin(
      messages,
      and(
        saidInRoom(roomId),
        gt(messages.seq, seq),
        gt(messages.seq, members.sinceSeq),
        or(isNull(messages.senderId), ne(messages.senderId, userId)),
        notInArray(messages.type, ["payment", "payment_qr"]),
      ),
    )
    .where(and(eq(members.roomId, roomId), eq(members.userId, userId)))
    .groupBy(members.userId);
  return row === undefined ? noRoom : ({ ok: true, count: row.count } as const);
}
