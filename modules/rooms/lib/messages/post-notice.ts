import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { broadcastMessage } from "../core/broadcast.ts";
import { type Message, messageOf } from "../core/message.ts";
import { findNoticeNames } from "../core/notice-names.ts";
import { countersTable, messagesTable } from "../core/schema.ts";
import { noteActivity } from "../privacy/room-activity.ts";

/**
 * What the server says in a room. Its words are `notices.<code>` of the catalogues, filled with `params`, none of which a member
 * may have written; `userId` among them is whom it speaks of, who is shown beside the words.
 */
export type RoomNotice = {
  roomId: number;
  code: string;
  params: Record<string, string | number>;
  /** `system` unless given; a chat shows `system` alone. */
  type?: "system" | "payment" | "payment_qr";
  at: Date;
};

/**
 * Says something in a room in the server's name, inside the caller's transaction, and sends it after the commit.
 * Takes the room's counter, the last lock of all: nothing else may be locked after it.
 */
export async function postNotice(tx: Tx, notice: RoomNotice): Promise<Message> {
  const [counter] = await tx
    .update(countersTable)
    .set({ lastSeq: sql`${countersTable.lastSeq} + 1` })
    .where(eq(countersTable.roomId, notice.roomId))
    .returning();
  if (counter === undefined) throw new Error(`rooms: no room ${notice.roomId} to post a notice in`);
  await noteActivity(tx, counter, notice.at);
  const { roomId, code, params, type = "system", at } = notice;
  const [row] = await tx
    .insert(messagesTable)
    .values({ roomId, seq: counter.lastSeq, type, code, params, createdAt: at })
    .returning();
  if (row === undefined) throw new Error("rooms: a notice was not stored");
  const names = await findNoticeNames(tx, [row]);
  broadcastMessage(tx, row, names);
  return messageOf(row, "en", names);
}
