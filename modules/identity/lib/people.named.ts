import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { users } from "./schema.ts";
import { usernameKey } from "./username.ts";

/** Somebody found by their name. */
export type Named = { id: number; username: string; displayName: string };

/**
 * Whom these words name: the one of that id, or of that username ("@" before it or not), else, up to `most`, everybody whose
 * username or display name begins with them, in any case. For administrators only: doors ask for the right.
 */
export async function peopleNamed(words: string, most: number): Promise<Named[]> {
  const wanted = words.normalize("NFC").trim();
  const name = wanted.replace(/^@/, "");
  if (name === "") return [];
  if (/^\d{1,15}$/.test(wanted)) {
    const one = await found(eq(users.id, Number(wanted)), 1);
    if (one.length > 0) return one;
  }
  const exact = await found(eq(users.usernameKey, usernameKey(name)), 1);
  if (exact.length > 0) return exact;
  const username = begins(sql`${users.usernameKey}`, usernameKey(name));
  return found(or(username, begins(sql`lower(${users.displayName})`, name.toLowerCase())), most);
}

function found(condition: SQL | undefined, most: number): Promise<Named[]> {
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
