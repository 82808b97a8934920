import { and, desc, eq, gt, gte, isNotNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { messages } from "../core/schema.ts";
import { saidInRoom } from "./conversation-span.ts";

/** The last that a member of a room said since the server's latest notice of a kind. */
export type AnswerSince = { senderId: number; at: Date };

/**
 * Whether, and when, a member last wrote in a room after the latest notice of `code` that was posted since a moment; null where no
 * such notice was posted or nobody wrote after it. It asks nobody who is reading, and tells nothing of what was written.
 */
export async function lastAnswer(
  exec: Executor,
  roomId: number,
  { code, since }: { code: string; since: Date },
): Promise<AnswerSince | null> {
  const [notice] = await exec
    .select({ seq: messages.seq })
    .from(messages)
    .where(and(saidInRoom(roomId), eq(messages.code, code), gte(messages.createdAt, since)))
    .orderBy(desc(messages.seq))
    .limit(1);
  if (notice === undefined) return null;
  const [answer] = await exec
    .select({ senderId: messages.senderId, at: messages.createdAt })
    .from(messages)
    .where(and(saidInRoom(roomId), gt(messages.seq, notice.seq), isNotNull(messages.senderId)))
    .orderBy(desc(messages.seq))
    .limit(1);
  if (answer === undefined || answer.senderId === null) return null;
  return { senderId: answer.senderId, at: answer.at };
}
