import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { actorBy, anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { requireUser } from "../core/require-actor.ts";
import { profileChangesTable, usersTable } from "../core/schema.ts";
import { findPeople } from "../core/users/people.ts";
import { signInWithPassword } from "../login/login.ts";
import { chooseName, ownNameRefusals } from "./choose-name.ts";

useDatabase();

/** Someone whose names were chosen before today's rules. */
async function named(names: { username?: string; displayName?: string }) {
  const person = await someone();
  const username =
    names.username === undefined
      ? {}
      : { username: names.username, usernameKey: names.username.toLowerCase() };
  await db()
    .update(usersTable)
    .set({ ...names, ...username })
    .where(eq(usersTable.id, person.id));
  return { ...person, ...names, actor: await actorBy(person.token) };
}

test("an outdated name is shown neutrally to others, and its owner must choose another first", async () => {
  const person = await named({ username: "Midman-Payments.x", displayName: "t.me/zolboo" });
  expect(requireUser(person.actor)).toEqual({ ok: false, code: "NAME_CHANGE_REQUIRED" });
  const shown = (await findPeople(db(), [person.id])).get(person.id);
  expect(shown).toMatchObject({
    username: `user#${person.id}`,
    displayName: `User ${person.id}`,
    avatarInitials: "–",
  });
  expect(ownNameRefusals(person.actor)).toEqual({
    username: "validation.nameReserved",
    displayName: "validation.nameLink",
  });
  // The old name still signs in.
  expect((await signInWithPassword(visitor(), { ...person, password: person.password })).ok).toBe(true);

  const half = await chooseName(person.actor, { displayName: "Bat" });
  expect(half).toEqual({
    ok: false,
    code: "VALIDATION",
    fields: { username: ["validation.nameReserved"] },
  });
  const taken = await someone();
  const same = await chooseName(person.actor, { displayName: "Bat", username: taken.username.toUpperCase() });
  expect(same).toMatchObject({ code: "USERNAME_EXISTS", fields: { username: ["errors.USERNAME_EXISTS"] } });
  const username = `bat${person.id}`;
  const done = await chooseName(person.actor, { displayName: "Bat Bold", username });
  expect(done).toMatchObject({ ok: true, user: { username, displayName: "Bat Bold", avatarInitials: "BB" } });
  expect(requireUser(await actorBy(person.token)).ok).toBe(true);
  expect((await findPeople(db(), [person.id])).get(person.id)).toMatchObject({
    username,
    displayName: "Bat Bold",
  });
  expect((await signInWithPassword(visitor(), { username, password: person.password })).ok).toBe(true);
  const [entry] = await db().execute(
    sql`SELECT data FROM audit.entries WHERE action = 'name_chosen' AND user_id = ${person.id}`,
  );
  expect(entry).toEqual({ data: { fields: ["username", "displayName"] } });
  const [kept] = await db()
    .select()
    .from(profileChangesTable)
    .where(eq(profileChangesTable.userId, person.id));
  expect(kept).toMatchObject({
    changedBy: person.id,
    before: { displayName: "t.me/zolboo" },
    after: { displayName: "Bat Bold" },
  });
});

test("only a forbidden name is replaced, and an allowed one stays", async () => {
  const person = await named({ displayName: "QPay" });
  const asked = { username: "somebody.else", displayName: "Sara" };
  const done = await chooseName(person.actor, asked);
  expect(done).toMatchObject({ ok: true, user: { username: person.username, displayName: "Sara" } });
  const again = await chooseName(person.actor, { ...asked, displayName: "Zaya" });
  expect(again).toMatchObject({ ok: true, user: { displayName: "Sara" } });
  expect(await chooseName(visitor(), asked)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
});

test("administrators are named by the operator and need not choose", async () => {
  const admin = await anAdmin();
  await db().update(usersTable).set({ displayName: "Midman admin" }).where(eq(usersTable.id, admin.id));
  const actor = await actorBy(admin.token);
  expect([requireUser(actor).ok, ownNameRefusals(actor)]).toEqual([true, undefined]);
  expect((await findPeople(db(), [admin.id])).get(admin.id)?.displayName).toBe("Midman admin");
});

test("the password is required first, and attempts are counted", async () => {
  const person = await named({ displayName: "Admin" });
  const must = { ...person.actor, mustChangePassword: true };
  expect(await chooseName(must, { displayName: "Bat" })).toEqual({
    ok: false,
    code: "PASSWORD_CHANGE_REQUIRED",
  });
  for (let n = 0; n < 20; n++)
    expect(await chooseName(person.actor, {})).toMatchObject({ code: "VALIDATION" });
  expect(await chooseName(person.actor, { displayName: "Bat" })).toMatchObject({ code: "THROTTLED" });
});
