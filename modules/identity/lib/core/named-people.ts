import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { users } from "./schema.ts";
import { usernameKey } from "./username.ts";

/** Somebody found by their name. */
export type NamedPerson = { id: number; username: string; displayName: string };

/** Whom these words mean: the one of that id, else whom they name. For administrators only: doors ask for the right. */
export async function peopleMeant(words: string, most: number): Promise<NamedPerson[]> {
  const id = /^\s*(\d{1,15})\s*$/.exec(words)?.[1];
  const one = id === undefined ? [] : await found(eq(users.id, Number(id)), 1);
  return one.length > 0 ? one : peopleNamed(words, most);
}

/**
 * Whom these words name: the one of that username ("@" before it or not), else, up to `most`, everybody whose username or
 * display name begins with them, in any case. For administrators only: doors ask for the right.
 */
export async function peopleNamed(words: string, most: number): Promise<NamedPerson[]> {
  const name = words.normalize("NFC").trim().replace(/^@/, "");
  if (name === "") return [];
  const exact = await found(eq(users.usernameKey, usernameKey(name)), 1);
  if (exact.length > 0) return exact;
  const username = begins(sql`${users.usernameKey}`, usernameKey(name));
  return found(or(username, begins(sql`lower(${users.displayName})`, name.toLowerCase())), most);
}

function found(condition: SQL | undefined, most: number): Promise<NamedPerson[]> {
  return db()
    .select({ id: users.id, username: users.username, displayName: users.displayName })
    .from(users)
    .where(condition)
    .orderBy(users.id)
    .limit(most);
}

/** As a range: an index serves it whatever stands in the words. */
function begins(column: SQL, words: string): SQL | undefined {
  return and(sql`${column} ~>=~ ${words}::text`, sql`${column} ~<~ ${`${words}\u{10FFFF}`}::text`);
}
