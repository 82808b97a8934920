import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { members, messages, rooms } from "../core/schema.ts";

/** A message as it stands when it is reported. A picture has its caption alone, and `image` says that it is one. */
export type ReportedMessage = {
  id: number;
  senderId: number;
  content: string;
  image: boolean;
  createdAt: Date;
};

type Place = { roomId: number; senderId: number };

/** What a member sees another say in a room that stands, as a query: neither notices of ours nor what was said before their time. */
const seenBy = (exec: Executor, userId: number, roomId: number) =>
  exec
    .select({ message: messages })
    .from(messages)
    .innerJoin(members, and(eq(members.roomId, messages.roomId), eq(members.userId, userId)))
    .innerJoin(rooms, and(eq(rooms.id, messages.roomId), eq(rooms.id, roomId), isNull(rooms.deletedAt)))
    .$dynamic();

/** What another member said in a room, for a member who may see it; undefined for anything else. */
export async function messageSeenBy(
  exec: Executor,
  userId: number,
  { roomId, messageId }: { roomId: number; messageId: number },
): Promise<ReportedMessage | undefined> {
  const [row] = await seenBy(exec, userId, roomId).where(
    and(eq(messages.roomId, roomId), eq(messages.id, messageId), gt(messages.seq, members.sinceSeq)),
  );
  const found = row && reported(row.message);
  return found?.senderId === userId ? undefined : found;
}

/** The latest messages that a member sees of another one, the latest first. */
export async function latestSeenBy(
  exec: Executor,
  userId: number,
  { roomId, senderId }: Place,
  limit: number,
): Promise<ReportedMessage[]> {
  const rows = await seenBy(exec, userId, roomId)
    .where(
      and(eq(messages.roomId, roomId), eq(messages.senderId, senderId), gt(messages.seq, members.sinceSeq)),
    )
    .orderBy(desc(messages.seq))
    .limit(limit);
  return rows.flatMap(({ message }) => reported(message) ?? []);
}

function reported(row: typeof messages.$inferSelect): ReportedMessage | undefined {
  const { id, senderId, content, type, createdAt } = row;
  if (senderId === null) return undefined;
  return { id, senderId, content: content ?? "", image: type === "image", createdAt };
}
