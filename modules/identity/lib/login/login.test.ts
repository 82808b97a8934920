import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { actorBy, anAdmin, application, someone, visitor } from "../core/people.fixture.ts";
import { usersTable } from "../core/schema.ts";
import { memberOf } from "../sessions/sessions.ts";
import { adminLogin, signInWithPassword } from "./login.ts";
import { mayTry } from "./throttles.ts";

useDatabase();

const entries = (action: string) =>
  db().execute<{
    user_id: string | null;
    subject_kind: string | null;
    subject_id: string | null;
    data: object;
  }>(
    sql`SELECT user_id, subject_kind, subject_id, data FROM audit.entries WHERE action = ${action} ORDER BY id`,
  );

describe("login", () => {
  test("accepts the right password, whatever the name's case", async () => {
    const person = await someone();
    const done = await signInWithPassword(visitor(), {
      username: person.username.toUpperCase(),
      password: person.password,
    });
    if (!done.ok) throw new Error(done.code);
    expect(done.user).toMatchObject({ id: person.id, username: person.username });
    expect((await actorBy(done.session.token)).userId).toBe(person.id);
    expect(done.session.expires.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  test("accepts the email address too, and counts wrong attempts of both together", async () => {
    const person = await someone();
    const byAddress = { username: person.email.toUpperCase(), password: person.password };
    expect(await signInWithPassword(visitor(), byAddress)).toMatchObject({
      ok: true,
      user: { id: person.id },
    });
    for (let i = 0; i < 60; i++) await mayTry({ "login:account": person.username }, new Date());
    expect(await signInWithPassword(visitor(), byAddress)).toMatchObject({ code: "THROTTLED" });
  });

  test("issues a new token each time, and ends the browser's previous session", async () => {
    const person = await someone();
    const done = await signInWithPassword(person.actor, person);
    if (!done.ok) throw new Error(done.code);
    expect(done.session.token).not.toBe(person.token);
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    const elsewhere = await signInWithPassword(visitor(), person);
    expect(elsewhere.ok).toBe(true);
    expect(await memberOf(done.session.token, new Date())).toBeDefined();
  });

  test("ends another person's session in the same browser", async () => {
    const [first, second] = [await someone(), await someone()];
    const done = await signInWithPassword(first.actor, second);
    expect(done.ok).toBe(true);
    expect(await memberOf(first.token, new Date())).toBeUndefined();
  });

  test("replies the same to an unknown name and a wrong password, and logs both without the input", async () => {
    const person = await someone();
    const typed = "some typed password";
    const wrong = await signInWithPassword(visitor(), { username: person.username, password: typed });
    const unknown = await signInWithPassword(visitor(), {
      username: application().username,
      password: typed,
    });
    expect(wrong).toEqual({ ok: false, code: "INVALID_CREDENTIALS" });
    expect(unknown).toEqual(wrong);
    const [known, nobody] = await entries("login_failed");
    expect(known).toMatchObject({
      user_id: null,
      subject_kind: "user",
      subject_id: String(person.id),
      data: {},
    });
    expect(nobody).toMatchObject({ user_id: null, subject_kind: null, data: {} });
  });

  test("rehashes the password when its cost has changed", async () => {
    const person = await someone();
    const old = await Bun.password.hash(person.password, {
      algorithm: "argon2id",
      memoryCost: 4096,
      timeCost: 1,
    });
    await db().update(usersTable).set({ passwordHash: old }).where(eq(usersTable.id, person.id));
    const both = await Promise.all([
      signInWithPassword(visitor(), person),
      signInWithPassword(visitor(), person),
    ]);
    expect(both.map((done) => done.ok)).toEqual([true, true]);
    const [row] = await db().select().from(usersTable).where(eq(usersTable.id, person.id));
    expect(row?.passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect((await signInWithPassword(visitor(), person)).ok).toBe(true);
  });

  test("is throttled for an account from one address; a right password clears wrong attempts", async () => {
    const person = await someone();
    const from = visitor();
    const wrong = () => signInWithPassword(from, { username: person.username, password: "not the word" });
    for (let i = 0; i < 9; i++) await wrong();
    expect((await signInWithPassword(from, person)).ok).toBe(true);
    for (let i = 0; i < 10; i++) expect(await wrong()).toMatchObject({ code: "INVALID_CREDENTIALS" });
    expectMatch(await wrong(), { code: "THROTTLED", retryAfterSeconds: expect.any(Number) });
    expect(await signInWithPassword(from, person)).toMatchObject({ code: "THROTTLED" });
    // The owner, at another address, is not locked out.
    expect((await signInWithPassword(visitor(), person)).ok).toBe(true);
  });

  test("is throttled for an account guessed from many addresses", async () => {
    const person = await someone();
    for (let i = 0; i < 60; i++) await mayTry({ "login:account": person.username }, new Date());
    expect(await signInWithPassword(visitor(), person)).toMatchObject({ code: "THROTTLED" });
  });

  test("is throttled for an address that tries many names", async () => {
    const [person, from] = [await someone(), visitor()];
    for (let i = 0; i < 149; i++) await mayTry({ "login:ip": from.ip }, new Date());
    expect((await signInWithPassword(from, person)).ok).toBe(true);
    expect(await signInWithPassword(from, person)).toMatchObject({ code: "THROTTLED" });
    expect(await signInWithPassword(from, application())).toMatchObject({ code: "THROTTLED" });
  });

  test("running with an old password fails after its change", async () => {
    const person = await someone();
    for (let round = 0; round < 5; round++) {
      const before = await signInWithPassword(visitor(), person);
      expect(before.ok).toBe(true);
      const [entered] = await Promise.all([
        signInWithPassword(visitor(), person),
        db().transaction(async (tx) => {
          const [row] = await tx.select().from(usersTable).where(eq(usersTable.id, person.id)).for("update");
          await Bun.sleep(60);
          const other = await Bun.password.hash(person.password, {
            algorithm: "argon2id",
            memoryCost: 19456,
            timeCost: 2,
          });
          await tx
            .update(usersTable)
            .set({ passwordHash: other })
            .where(eq(usersTable.id, row?.id ?? 0));
          await tx.execute(sql`DELETE FROM identity.sessions WHERE user_id = ${person.id}`);
        }),
      ]);
      const left = await db().execute(sql`SELECT 1 FROM identity.sessions WHERE user_id = ${person.id}`);
      expect(left).toHaveLength(entered.ok ? 1 : 0);
      if (entered.ok) expect(await memberOf(entered.session.token, new Date())).toBeDefined();
    }
  });
});

describe("the administrators' login", () => {
  test("signs an administrator in, for hours instead of days", async () => {
    const admin = await anAdmin();
    const done = await adminLogin(visitor(), admin);
    if (!done.ok) throw new Error(done.code);
    expect(await actorBy(done.session.token)).toMatchObject({ userId: admin.id, isAdmin: true });
    expect(done.session.expires.getTime()).toBeLessThan(Date.now() + 13 * 3_600_000);
  });

  test("treats anyone else's right password like a wrong one, opens nothing, and logs it", async () => {
    const person = await someone();
    const refused = { ok: false, code: "ADMIN_CREDENTIALS" } as const;
    expect(await adminLogin(visitor(), person)).toEqual(refused);
    expect(await adminLogin(visitor(), { ...person, password: "x" })).toEqual(refused);
    expect(await adminLogin(visitor(), { username: "nobody", password: "x" })).toEqual(refused);
    expect((await entries("admin_login_failed")).length).toBe(3);
    const open = await db().execute(sql`SELECT 1 FROM identity.sessions WHERE user_id = ${person.id}`);
    expect(open).toHaveLength(1);
  });
});
