import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { db } from "#db/client";
import { findPeople } from "#modules/identity";
import { members, rooms } from "../core/schema.ts";

/**
 * The person's rooms whose name, or whose other side's name, holds these words, in any case. Compared here and not by the
 * database, whose own rules for Cyrillic capitals hang on how its machine was set up, and which must not read names across
 * modules.
 */
export async function matching(userId: number, words: string): Promise<number[]> {
  const other = alias(members, "other");
  const rows = await db()
    .select({ roomId: rooms.id, name: rooms.name, otherId: other.userId })
    .from(members)
    .innerJoin(rooms, and(eq(rooms.id, members.roomId), isNull(rooms.deletedAt)))
    .leftJoin(other, and(eq(other.roomId, members.roomId), ne(other.userId, sql`${userId}`)))
    .where(and(eq(members.userId, userId), isNull(members.hiddenAt)));
  const wanted = plain(words);
  const known = await findPeople(db(), [...new Set(rows.flatMap(({ otherId }) => otherId ?? []))]);
  return rows.flatMap(({ roomId, name, otherId }) => {
    const person = otherId === null ? undefined : known.get(otherId);
    const texts = [name, person?.displayName ?? "", person?.username ?? ""];
    return texts.some((text) => plain(text).includes(wanted)) ? [roomId] : [];
  });
}

function plain(text: string): string {
  return text.normalize("NFKC").toLocaleLowerCase("mn").replace(/\s+/g, " ").trim();
}
