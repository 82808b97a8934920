import { and, desc, eq, gt, gte, isNotNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { messagesTable } from "../core/schema.ts";
import { inRoomCondition } from "./conversation-span.ts";

/** The last message of a member since the server's latest notice of a kind. */
export type AnswerSince = { senderId: number; at: Date };

/**
 * Whether, and when, a member last wrote in a room after the latest notice with `code` posted since a moment; null if no such notice was
 * posted or nobody wrote after it. Does not check the reader's right, and returns nothing of what was written.
 */
export async function findLastAnswer(
  exec: Executor,
  roomId: number,
  { code, since }: { code: string; since: Date },
): Promise<AnswerSince | null> {
  const [notice] = await exec
    .select({ seq: messagesTable.seq })
    .from(messagesTable)
    .where(and(inRoomCondition(roomId), eq(messagesTable.code, code), gte(messagesTable.createdAt, since)))
    .orderBy(desc(messagesTable.seq))
    .limit(1);
  if (notice === undefined) return null;
  const [answer] = await exec
    .select({ senderId: messagesTable.senderId, at: messagesTable.createdAt })
    .from(messagesTable)
    .where(and(inRoomCondition(roomId), gt(messagesTable.seq, notice.seq), isNotNull(messagesTable.senderId)))
    .orderBy(desc(messagesTable.seq))
    .limit(1);
  if (answer === undefined || answer.senderId === null) return null;
  return { senderId: answer.senderId, at: answer.at };
}
