import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { broadcastMessage } from "../core/broadcast.ts";
import { messageOf } from "../core/message.ts";
import { findNoticeNames } from "../core/notice-names.ts";
import type { Message } from "../core/responses.ts";
import { countersTable, messagesTable } from "../core/schema.ts";
import { noteActivity } from "../privacy/room-activity.ts";

/**
 * A system message in a room. Its text is the translation of `notices.<code>`, filled with `params`, none of which may come from a member;
 * `params.userId` is the person it mentions, who is shown beside the text. `params.by` is the role of the party whose act it is: a notice
 * is not unread for the person who caused it.
 */
export type RoomNotice = {
  roomId: number;
  code: string;
  params: Record<string, string | number>;
  /** `system` by default; a chat shows only `system`. */
  type?: "system" | "payment" | "payment_qr";
  at: Date;
};

/**
 * Posts a system message in a room, inside the caller's transaction, and broadcasts it after the commit. Locks the room's counter, which
 * must be the last lock: nothing else may be locked after it.
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
  broadcastMessage(tx, row, { names });
  return messageOf(row, "en", names);
}
