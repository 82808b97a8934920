import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { db } from "#db/client";
import { findPeople } from "#modules/identity";
import { membersTable, roomsTable } from "../core/schema.ts";

/**
 * The person's rooms whose name, or other member's name, contains these words, in any case. Compared here and not in the database: its
 * handling of Cyrillic capitals depends on the machine's locale, and it must not read names across modules.
 */
export async function findMatchingRooms(userId: number, words: string): Promise<number[]> {
  const other = alias(membersTable, "other");
  const rows = await db()
    .select({ roomId: roomsTable.id, name: roomsTable.name, otherId: other.userId })
    .from(membersTable)
    .innerJoin(roomsTable, and(eq(roomsTable.id, membersTable.roomId), isNull(roomsTable.deletedAt)))
    .leftJoin(other, and(eq(other.roomId, membersTable.roomId), ne(other.userId, sql`${userId}`)))
    .where(and(eq(membersTable.userId, userId), isNull(membersTable.hiddenAt)));
  const wanted = normalizeText(words);
  const known = await findPeople(db(), [...new Set(rows.flatMap(({ otherId }) => otherId ?? []))]);
  return rows.flatMap(({ roomId, name, otherId }) => {
    const person = otherId === null ? undefined : known.get(otherId);
    const texts = [name, person?.displayName ?? "", person?.username ?? ""];
    return texts.some((text) => normalizeText(text).includes(wanted)) ? [roomId] : [];
  });
}

function normalizeText(text: string): string {
  return text.normalize("NFKC").toLocaleLowerCase("mn").replace(/\s+/g, " ").trim();
}
