import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { usersTable } from "../schema.ts";
import { usernameKey } from "./username.ts";

/** A person found by name. */
export type NamedPerson = { id: number; username: string; displayName: string };

/** The person with that id, or else the people whose names match. For administrators only: the callers check the right. */
export async function findPeopleByIdOrName(words: string, most: number): Promise<NamedPerson[]> {
  const id = /^\s*(\d{1,15})\s*$/.exec(words)?.[1];
  const one = id === undefined ? [] : await selectNamedPeople(eq(usersTable.id, Number(id)), 1);
  return one.length > 0 ? one : findPeopleByName(words, most);
}

/**
 * The person with that username ("@" before it or not), or else up to `most` people whose username or display name begins with `words`, in
 * any case. For administrators only: the callers check the right.
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

/** Compares a range, which an index serves whatever the words contain. */
function beginsWith(column: SQL, words: string): SQL | undefined {
  return and(sql`${column} ~>=~ ${words}::text`, sql`${column} ~<~ ${`${words}\u{10FFFF}`}::text`);
}
