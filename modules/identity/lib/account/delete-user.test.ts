import { afterEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { deleteUserAsAdmin } from "../administrators/delete-user-as-admin.ts";
import { setAdmin } from "../administrators/set-admin.ts";
import type { Actor } from "../core/actor.ts";
import { registerIdentityGuard } from "../core/identity-guards.ts";
import { actorBy, anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { sessionsTable, tokensTable, usersTable } from "../core/schema.ts";
import { findPeople } from "../core/users/people.ts";
import { signInWithPassword } from "../login/login.ts";
import { registerUser } from "../login/register.ts";
import { memberOf } from "../sessions/sessions.ts";
import { updateProfile } from "./profile.ts";

useDatabase();
let unguard = () => {};
afterEach(() => unguard());

describe("deleting a user", () => {
  test("keeps the id and nothing personal, ends the sessions and frees the name", async () => {
    const [admin, person] = [await anAdmin(), await someone({ displayName: "Дорж Бат" })];
    await updateProfile(person.actor, { phoneNumber: "99112233", bankAccount: "5001002003" });
    expect(await deleteUserAsAdmin(admin.actor, person.id)).toEqual({ ok: true });
    const [row] = await db().select().from(usersTable).where(eq(usersTable.id, person.id));
    const left = JSON.stringify(row);
    for (const personal of [person.username, person.email, "Дорж", "99112233", "5001002003", "argon2"]) {
      expect(left).not.toContain(personal);
    }
    expect((await findPeople(db(), [person.id])).get(person.id)).toMatchObject({
      deleted: true,
      email: null,
    });
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    for (const table of [sessionsTable, tokensTable]) {
      expect(await db().select().from(table).where(eq(table.userId, person.id))).toEqual([]);
    }
    expect(await signInWithPassword(visitor(), person)).toMatchObject({ code: "INVALID_CREDENTIALS" });
    expect((await registerUser(visitor(), person)).ok).toBe(true);
  });

  test("is for administrators, and never of themselves", async () => {
    const [one, other, admin] = [await someone(), await someone(), await anAdmin()];
    expect(await deleteUserAsAdmin(visitor(), one.id)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await deleteUserAsAdmin(other.actor, one.id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    expect(await deleteUserAsAdmin(admin.actor, admin.id)).toEqual({ ok: false, code: "OWN_ACCOUNT" });
    expect(await memberOf(admin.token, new Date())).toBeDefined();
    expect(await deleteUserAsAdmin(admin.actor, one.id)).toEqual({ ok: true });
    expect(await deleteUserAsAdmin(admin.actor, one.id)).toEqual({ ok: false, code: "USER_NOT_FOUND" });
    const [entry] = await db().execute<{ user_id: string }>(
      sql`SELECT user_id FROM audit.entries WHERE action = 'user_deleted' AND subject_id = ${String(one.id)}`,
    );
    expect(Number(entry?.user_id)).toBe(admin.id);
  });

  test("is refused completely while a guard prevents it", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    unguard = registerIdentityGuard({
      mayDeleteUser: async (_tx, userId) =>
        userId === person.id ? { ok: false, code: "MONEY_HELD" } : { ok: true },
    });
    expect(await deleteUserAsAdmin(admin.actor, person.id)).toEqual({ ok: false, code: "MONEY_HELD" });
    expect(await memberOf(person.token, new Date())).toBeDefined();
  });

  test("never removes the last administrator, even when two delete each other at once", async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await anAdmin(), await anAdmin()];
      await removeOthers(one.id, two.id);
      const answers = await Promise.all([
        deleteUserAsAdmin(one.actor, two.id),
        deleteUserAsAdmin(two.actor, one.id),
      ]);
      const codes = answers.map((answer) => (answer.ok ? "ok" : answer.code)).sort();
      expect(codes).toEqual(["ADMIN_REQUIRED", "ok"]);
    }
  });
});

describe("two administrators who remove each other at once, while a third remains", () => {
  test.each([
    ["by deleting", (actor: Actor, id: number) => deleteUserAsAdmin(actor, id)],
    ["by taking the right away", (actor: Actor, id: number) => setAdmin(actor, id, false)],
  ])("leave one of them, %s", async (_how, remove) => {
    await anAdmin();
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await anAdmin(), await anAdmin()];
      const answers = await Promise.all([remove(one.actor, two.id), remove(two.actor, one.id)]);
      const codes = answers.map((answer) => (answer.ok ? "ok" : answer.code)).sort();
      expect(codes).toEqual(["ADMIN_REQUIRED", "ok"]);
      const left = await findPeople(db(), [one.id, two.id]);
      expect([one, two].filter(({ id }) => left.get(id)?.isAdmin)).toHaveLength(1);
    }
  });
});

describe("granting and removing administrator rights", () => {
  test("ends the person's sessions; a new one must set a new password", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    expect(await setAdmin(admin.actor, person.id, true)).toEqual({ ok: true });
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    const again = await signInWithPassword(visitor(), person);
    if (!again.ok) throw new Error(again.code);
    expect(await actorBy(again.session.token)).toMatchObject({ isAdmin: true, mustChangePassword: true });
    expect(await setAdmin(admin.actor, person.id, true)).toEqual({ ok: true });
    expect(await memberOf(again.session.token, new Date())).toBeDefined();
    expect(await setAdmin(admin.actor, person.id, false)).toEqual({ ok: true });
    expect(await memberOf(again.session.token, new Date())).toBeUndefined();
  });

  test("is for administrators, of existing users, and never of the last one", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    expect(await setAdmin(person.actor, person.id, true)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    expect(await setAdmin(admin.actor, 999_999, true)).toEqual({ ok: false, code: "USER_NOT_FOUND" });
    await removeOthers(admin.id, admin.id);
    expect(await setAdmin(admin.actor, admin.id, false)).toEqual({ ok: false, code: "LAST_ADMIN" });
  });

  test("is enforced by the database too", async () => {
    const admin = await anAdmin();
    await removeOthers(admin.id, admin.id);
    const stolen = db().update(usersTable).set({ isAdmin: false }).where(eq(usersTable.id, admin.id));
    await expect(stolen.execute()).rejects.toMatchObject({ cause: { constraint_name: "users_last_admin" } });
    const removed = ownerDatabase().transaction((tx) =>
      tx.delete(usersTable).where(eq(usersTable.id, admin.id)),
    );
    await expect(removed).rejects.toMatchObject({
      cause: { message: "identity.users rows are never deleted" },
    });
  });
});

/** Makes these two the only administrators. */
async function removeOthers(one: number, two: number): Promise<void> {
  await db().execute(
    sql`UPDATE identity.users SET is_admin = false WHERE is_admin AND id NOT IN (${one}, ${two})`,
  );
}
