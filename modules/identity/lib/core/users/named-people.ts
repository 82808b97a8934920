import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { usersTable } from "../schema.ts";
import { usernameKey } from "./username.ts";

/** Somebody found by their name. */
export type NamedPerson = { id: number; username: string; displayName: string };

/** Whom these words mean: the one of that id, else whom they name. For administrators only: doors ask for the right. */
export async function findPeopleByIdOrName(words: string, most: number): Promise<NamedPerson[]> {
  const id = /^\s*(\d{1,15})\s*$/.exec(words)?.[1];
  const one = id === undefined ? [] : await selectNamedPeople(eq(usersTable.id, Number(id)), 1);
  return one.length > 0 ? one : findPeopleByName(words, most);
}

/**
 * Whom these words name: the one of that username ("@" before it or not), else, up to `most`, everybody whose username or
 * display name begins with them, in any case. For administrators only: doors ask for the right.
 */
export async function findPeopleByName(words: string, most: number): Promise<NamedPerson[]> {
  const name = words.normalize("NFC").trim().replace(/^@/, "");
  if (name === "") return [];
  const exact = await selectNamedPeople(eq(usersTable.usernameKey, usernameKey(name)), 1);
  if (exact.length > 0) return exact;
  const username = beginsWith(sql`${usersTable.usernameKey}`, usernameKey(name));
  return selectNamedPeople(
    or(username, beginsWith(sql`lower(${usersTable.displayName})`, name.toLowerCase())),
    most,
  );
}

function selectNamedPeople(condition: SQL | undefined, most: number): Promise<NamedPerson[]> {
  return db()
    .select({ id: usersTable.id, username: usersTable.username, displayName: usersTable.displayName })
    .from(usersTable)
    .where(condition)
    .orderBy(usersTable.id)
    .limit(most);
}

/** As a range: an index serves it whatever stands in the words. */
function beginsWith(column: SQL, words: string): SQL | undefined {
  return and(sql`${column} ~>=~ ${words}::text`, sql`${column} ~<~ ${`${words}\u{10FFFF}`}::text`);
}
