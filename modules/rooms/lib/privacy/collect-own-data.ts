import { asc, eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import { registerDataCollector, registerIdentityGuard } from "#modules/identity";
import { membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { forgetSeen } from "../seen/last-seen.ts";

/** Registers this module's parts of a person's data, and what is forgotten with an account. Returns a function that removes them. */
export function collectOwnData(): () => void {
  const withdrawn = [
    registerDataCollector("rooms", roomsOf),
    registerDataCollector("messages", messagesOf),
    registerIdentityGuard({ forgetUser: forgetSeen }),
  ];
  return () => {
    for (const withdraw of withdrawn) withdraw();
  };
}

/** A person's rooms with their own membership; leaves the other member out. */
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
      seenAt: membersTable.seenAt,
      endedAt: roomsTable.endedAt,
    })
    .from(membersTable)
    .innerJoin(roomsTable, eq(roomsTable.id, membersTable.roomId))
    .where(eq(membersTable.userId, userId))
    .orderBy(asc(roomsTable.id));
}

/** A person's own messages, and the addresses of pictures they sent; never what others sent to them. */
function messagesOf(exec: Executor, userId: number) {
  const { id, roomId, seq, type, content, imageUrl, replyTo, createdAt } = messagesTable;
  return exec
    .select({ id, roomId, seq, type, content, imageUrl, replyTo, createdAt })
    .from(messagesTable)
    .where(eq(messagesTable.senderId, userId))
    .orderBy(asc(id));
}
