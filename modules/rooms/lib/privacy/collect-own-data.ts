import { asc, eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import { registerDataCollector } from "#modules/identity";
import { members, messages, rooms } from "../core/schema.ts";

/** Adds rooms' parts to a person's own data. Returns what takes them away again. */
export function collectOwnData(): () => void {
  const withdrawn = [registerDataCollector("rooms", roomsOf), registerDataCollector("messages", messagesOf)];
  return () => {
    for (const withdraw of withdrawn) withdraw();
  };
}

/** The rooms a person has a seat in, with their own part in each; who else sits there is not told. */
function roomsOf(exec: Executor, userId: number) {
  return exec
    .select({
      id: rooms.id,
      name: rooms.name,
      description: rooms.description,
      role: members.role,
      createdAt: rooms.createdAt,
      joinedAt: members.joinedAt,
      hiddenAt: members.hiddenAt,
      endedAt: rooms.endedAt,
    })
    .from(members)
    .innerJoin(rooms, eq(rooms.id, members.roomId))
    .where(eq(members.userId, userId))
    .orderBy(asc(rooms.id));
}

/** What a person wrote and the pictures they sent, by their addresses; never what was written to them. */
function messagesOf(exec: Executor, userId: number) {
  const { id, roomId, type, content, imageUrl, createdAt } = messages;
  return exec
    .select({ id, roomId, type, content, imageUrl, createdAt })
    .from(messages)
    .where(eq(messages.senderId, userId))
    .orderBy(asc(id));
}
