import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { membersTable, messagesTable, roomsTable } from "../core/schema.ts";

/** A message at the time it is reported. For a picture, `content` is the caption and `image` is true. */
export type ReportedMessage = {
  id: number;
  senderId: number;
  content: string;
  image: boolean;
  createdAt: Date;
};

type ReportedConversation = { roomId: number; senderId: number };

/**
 * Query of the messages a member can see in a room that is not deleted; the callers leave out notices and messages from before the member
 * joined.
 */
const selectMessagesSeenBy = (exec: Executor, userId: number, roomId: number) =>
  exec
    .select({ message: messagesTable })
    .from(messagesTable)
    .innerJoin(
      membersTable,
      and(eq(membersTable.roomId, messagesTable.roomId), eq(membersTable.userId, userId)),
    )
    .innerJoin(
      roomsTable,
      and(eq(roomsTable.id, messagesTable.roomId), eq(roomsTable.id, roomId), isNull(roomsTable.deletedAt)),
    )
    .$dynamic();

/** Another member's message in a room, for a member who may see it; undefined otherwise. */
export async function findReportableMessage(
  exec: Executor,
  userId: number,
  { roomId, messageId }: { roomId: number; messageId: number },
): Promise<ReportedMessage | undefined> {
  const [row] = await selectMessagesSeenBy(exec, userId, roomId).where(
    and(
      eq(messagesTable.roomId, roomId),
      eq(messagesTable.id, messageId),
      gt(messagesTable.seq, membersTable.sinceSeq),
    ),
  );
  const found = row && toReportedMessage(row.message);
  return found?.senderId === userId ? undefined : found;
}

/** The latest messages of another member that a member can see, newest first. */
export async function listReportableMessages(
  exec: Executor,
  userId: number,
  { roomId, senderId }: ReportedConversation,
  limit: number,
): Promise<ReportedMessage[]> {
  const rows = await selectMessagesSeenBy(exec, userId, roomId)
    .where(
      and(
        eq(messagesTable.roomId, roomId),
        eq(messagesTable.senderId, senderId),
        gt(messagesTable.seq, membersTable.sinceSeq),
      ),
    )
    .orderBy(desc(messagesTable.seq))
    .limit(limit);
  return rows.flatMap(({ message }) => toReportedMessage(message) ?? []);
}

function toReportedMessage(row: typeof messagesTable.$inferSelect): ReportedMessage | undefined {
  const { id, senderId, content, type, createdAt } = row;
  if (senderId === null) return undefined;
  return { id, senderId, content: content ?? "", image: type === "image", createdAt };
}
