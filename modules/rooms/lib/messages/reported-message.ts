import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { membersTable, messagesTable, roomsTable } from "../core/schema.ts";

/** A message as it stands when it is reported. A picture has its caption alone, and `image` says that it is one. */
export type ReportedMessage = {
  id: number;
  senderId: number;
  content: string;
  image: boolean;
  createdAt: Date;
};

type ReportedConversation = { roomId: number; senderId: number };

/** What a member sees another say in a room that stands, as a query: neither notices of ours nor what was said before their time. */
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

/** What another member said in a room, for a member who may see it; undefined for anything else. */
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

/** The latest messages that a member sees of another one, the latest first. */
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
