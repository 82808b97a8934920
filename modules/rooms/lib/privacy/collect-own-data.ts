import { asc, eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import { registerDataCollector } from "#modules/identity";
import { membersTable, messagesTable, roomsTable } from "../core/schema.ts";

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
      id: roomsTable.id,
      name: roomsTable.name,
      description: roomsTable.description,
      role: membersTable.role,
      createdAt: roomsTable.createdAt,
      joinedAt: membersTable.joinedAt,
      hiddenAt: membersTable.hiddenAt,
      endedAt: roomsTable.endedAt,
    })
    .from(membersTable)
    .innerJoin(roomsTable, eq(roomsTable.id, membersTable.roomId))
    .where(eq(membersTable.userId, userId))
    .orderBy(asc(roomsTable.id));
}

/** What a person wrote and the pictures they sent, by their addresses; never what was written to them. */
function messagesOf(exec: Executor, userId: number) {
  const { id, roomId, type, content, imageUrl, createdAt } = messagesTable;
  return exec
    .select({ id, roomId, type, content, imageUrl, createdAt })
    .from(messagesTable)
    .where(eq(messagesTable.senderId, userId))
    .orderBy(asc(id));
}
