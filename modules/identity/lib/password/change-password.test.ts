import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { actorBy, anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { requireFreshLogin } from "../core/require-actor.ts";
import { sessionsTable, usersTable } from "../core/schema.ts";
import { signInWithPassword } from "../login/login.ts";
import { memberOf } from "../sessions/sessions.ts";
import { changePassword, confirmPassword } from "./change-password.ts";

useDatabase();

describe("changing the password", () => {
  test("ends every session, gives this browser another, and is logged", async () => {
    const person = await someone();
    const elsewhere = await signInWithPassword(visitor(), person);
    const done = await changePassword(person.actor, {
      currentPassword: person.password,
      newPassword: "another word",
    });
    if (!done.ok || !elsewhere.ok) throw new Error("refused");
    for (const token of [person.token, elsewhere.session.token]) {
      expect(await memberOf(token, new Date())).toBeUndefined();
    }
    expect((await actorBy(done.session.token)).userId).toBe(person.id);
    expect(await signInWithPassword(visitor(), person)).toMatchObject({ code: "INVALID_CREDENTIALS" });
    expect((await signInWithPassword(visitor(), { ...person, password: "another word" })).ok).toBe(true);
    const [entry] = await db().execute(
      sql`SELECT data FROM audit.entries WHERE action = 'password_changed' AND user_id = ${person.id}`,
    );
    expect(entry).toEqual({ data: { sessionsEnded: 2 } });
  });

  test("needs the current one, and is throttled", async () => {
    const person = await someone();
    const wrong = { currentPassword: "not the word", newPassword: "another word" };
    for (let i = 0; i < 10; i++) {
      expect(await changePassword(person.actor, wrong)).toEqual({
        ok: false,
        code: "PASSWORD_WRONG",
        fields: { currentPassword: ["errors.PASSWORD_WRONG"] },
      });
    }
    expect(await changePassword(person.actor, wrong)).toMatchObject({ code: "THROTTLED" });
    expect(await memberOf(person.token, new Date())).toBeDefined();
    expect(await changePassword(visitor(), wrong)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });

  test("refuses the most common, and an administrator's below twelve characters", async () => {
    const [person, admin] = [await someone(), await anAdmin()];
    const to = (newPassword: string, currentPassword: string) => ({ currentPassword, newPassword });
    expect(await changePassword(person.actor, to("iloveyou", person.password))).toMatchObject({
      code: "PASSWORD_COMMON",
    });
    expect(await changePassword(admin.actor, to("eleven chrs", admin.password))).toEqual({
      ok: false,
      code: "PASSWORD_SHORT_FOR_ADMIN",
      fields: { newPassword: ["validation.passwordAdmin"] },
    });
    expect((await changePassword(person.actor, to(person.password, person.password))).ok).toBe(true);
  });

  test("releases someone who must change it, if it really changes", async () => {
    const person = await someone();
    await db().update(usersTable).set({ mustChangePassword: true }).where(eq(usersTable.id, person.id));
    const actor = await actorBy(person.token);
    expect(actor.mustChangePassword).toBe(true);
    const same = { currentPassword: person.password, newPassword: person.password };
    expect(await changePassword(actor, same)).toMatchObject({ code: "PASSWORD_UNCHANGED" });
    const done = await changePassword(actor, { ...same, newPassword: "another word" });
    if (!done.ok) throw new Error(done.code);
    expect((await actorBy(done.session.token)).mustChangePassword).toBe(false);
  });

  test("twenty times at the same moment happens once", async () => {
    const person = await someone();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        changePassword(person.actor, { currentPassword: person.password, newPassword: `word number ${i}` }),
      ),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const open = await db().select().from(sessionsTable).where(eq(sessionsTable.userId, person.id));
    expect(open).toHaveLength(1);
  });
});

describe("confirming the password", () => {
  test("makes the login fresh again, under another token", async () => {
    const person = await someone();
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await db()
      .update(sessionsTable)
      .set({ authenticatedAt: longAgo })
      .where(eq(sessionsTable.userId, person.id));
    const stale = await actorBy(person.token);
    expect(requireFreshLogin(stale, new Date())).toMatchObject({ code: "REAUTH_REQUIRED" });
    const done = await confirmPassword(stale, { password: person.password });
    if (!done.ok) throw new Error(done.code);
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    expect(requireFreshLogin(await actorBy(done.session.token), new Date()).ok).toBe(true);
  });

  test("twice at the same moment issues a session each time, because the browser keeps only the second response", async () => {
    const person = await someone();
    const press = () => confirmPassword(person.actor, { password: person.password });
    const answers = await Promise.all([press(), press()]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    for (const answer of answers) {
      if (answer.ok) expect((await actorBy(answer.session.token)).userId).toBe(person.id);
    }
  });

  test("refuses a wrong one", async () => {
    const person = await someone();
    expect(await confirmPassword(person.actor, { password: "not the word" })).toMatchObject({
      code: "PASSWORD_WRONG",
    });
    expect(await confirmPassword(visitor(), { password: "x" })).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });
});
