import { and, eq, isNull, type Placeholder, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { usersTable } from "../schema.ts";
import { usernameKey } from "./username.ts";

export type UserRow = typeof usersTable.$inferSelect;

/** The user with that name, in any case; undefined if there is none or they are deleted. */
export async function userByName(exec: Executor, username: string): Promise<UserRow | undefined> {
  const [row] = await exec
    .select()
    .from(usersTable)
    .where(eq(usersTable.usernameKey, usernameKey(username)));
  return row;
}

/** The user with that email address, in any case; undefined if there is none or they are deleted. */
export async function userByEmail(exec: Executor, email: string): Promise<UserRow | undefined> {
  const [row] = await exec.select().from(usersTable).where(sql`lower(${usersTable.email}) = lower(${email})`);
  return row;
}

/** The user with that id; undefined if there is none or they are deleted. */
export async function userById(exec: Executor, id: number): Promise<UserRow | undefined> {
  const [row] = await selectLivingUser(exec, { id });
  return row;
}

const selectLivingUser = prepareQuery<{ id: number }>()("user_by_id", (exec, value) =>
  exec
    .select()
    .from(usersTable)
    .where(livingUserCondition(value("id"))),
);

/**
 * The same as `userById`, with the row locked until the transaction ends. Code that opens or ends a user's sessions or changes the password
 * locks this row first: a login in progress with an old password must not outlive the change.
 */
export async function holdUser(tx: Tx, id: number): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(usersTable).where(livingUserCondition(id)).for("update");
  return row;
}

function livingUserCondition(id: number | Placeholder) {
  return and(eq(usersTable.id, id), isNull(usersTable.deletedAt));
}
