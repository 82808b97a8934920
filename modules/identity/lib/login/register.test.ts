import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { consentVersions } from "../../forms.ts";
import { actorBy, application, someone, visitor } from "../core/people.fixture.ts";
import { consentsTable, usersTable } from "../core/schema.ts";
import { memberOf } from "../sessions/sessions.ts";
import { registerUser } from "./register.ts";

useDatabase();

async function actions(userId: number): Promise<string[]> {
  const rows = await db().execute<{ action: string }>(
    sql`SELECT action FROM audit.entries WHERE user_id = ${userId} ORDER BY id`,
  );
  return rows.map((row) => row.action);
}

describe("registration", () => {
  test("records no consent to a version that the form did not show", async () => {
    const done = await registerUser(visitor(), application({ terms: "2025-05-12" }));
    if (!done.ok) throw new Error(done.code);
    const agreed = await db().select().from(consentsTable).where(eq(consentsTable.userId, done.user.id));
    expect(agreed.map(({ document, version }) => [document, version])).toEqual([
      ["privacy", consentVersions.privacy],
    ]);
    const neither = application({ terms: "2025-05-12", privacy: "2025-05-12" });
    expect((await registerUser(visitor(), neither)).ok).toBe(true);
  });

  test("creates a user who is signed in, has consented and gets two mails", async () => {
    const from = visitor({ language: "mn" });
    const input = application({ displayName: "Оюун Цэцэг", avatarInitials: "" });
    const done = await registerUser(from, input);
    if (!done.ok) throw new Error(done.code);
    expect(done.user).toMatchObject({
      username: input.username,
      email: input.email,
      displayName: "Оюун Цэцэг",
      avatarInitials: "ОЦ",
      phoneNumber: null,
      bankAccount: null,
      isAdmin: false,
      language: "mn",
      emailVerified: false,
    });
    expect(await memberOf(done.session.token, new Date())).toMatchObject({ userId: done.user.id });
    const agreed = await db().select().from(consentsTable).where(eq(consentsTable.userId, done.user.id));
    expect(agreed.map((row) => [row.document, row.version]).sort()).toEqual([
      ["privacy", consentVersions.privacy],
      ["terms", consentVersions.terms],
    ]);
    const mails = await db().execute<{ template: string; language: string }>(
      sql`SELECT template, language FROM mailer.messages WHERE recipient = ${input.email} ORDER BY id`,
    );
    expect([...mails]).toEqual([
      { template: "welcome", language: "mn" },
      { template: "accountVerification", language: "mn" },
    ]);
    expect(await actions(done.user.id)).toEqual(["register", "login"]);
  });

  test("stores a password only as argon2id with the configured cost", async () => {
    const person = await someone();
    const [row] = await db().select().from(usersTable).where(eq(usersTable.id, person.id));
    expect(row?.passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test("refuses a name or address that is taken, in any case", async () => {
    const person = await someone({ username: `Бат${crypto.randomUUID().replace(/\D/g, "").slice(0, 8)}` });
    const same = application({ username: person.username.toUpperCase() });
    expect(await registerUser(visitor(), same)).toMatchObject({
      code: "USERNAME_EXISTS",
      fields: { username: ["errors.USERNAME_EXISTS"] },
    });
    const post = application({ email: person.email.toUpperCase() });
    expect(await registerUser(visitor(), post)).toMatchObject({ code: "EMAIL_EXISTS" });
    const both = application({ email: person.email, username: person.username });
    expect(await registerUser(visitor(), both)).toMatchObject({ code: "EMAIL_EXISTS" });
  });

  test("twenty at the same moment with one name create one user", async () => {
    const { username } = application();
    const tries = Array.from({ length: 20 }, (_, i) =>
      registerUser(visitor(), application({ username: i % 2 ? username.toUpperCase() : username })),
    );
    const answers = await Promise.all(tries);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const refused = answers.filter((answer) => !answer.ok);
    expect(new Set(refused.map((answer) => !answer.ok && answer.code))).toEqual(new Set(["USERNAME_EXISTS"]));
    const rows = await db().execute(sql`SELECT 1 FROM identity.users WHERE username_key = ${username}`);
    expect(rows).toHaveLength(1);
  });

  test("twenty at the same moment with one address create one user", async () => {
    const { email } = application();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => registerUser(visitor(), application({ email }))),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const codes = new Set(answers.map((answer) => (answer.ok ? "ok" : answer.code)));
    // An email address is throttled too: attempts after the tenth are refused.
    expect([...codes].sort()).toEqual(["EMAIL_EXISTS", "THROTTLED", "ok"]);
  });

  test("leaves nothing behind where two conflict with each other", async () => {
    const person = await someone();
    const before = await db().execute(sql`SELECT count(*)::int AS n FROM mailer.messages`);
    const refused = await registerUser(visitor(), application({ username: person.username }));
    expect(refused.ok).toBe(false);
    expect([...(await db().execute(sql`SELECT count(*)::int AS n FROM mailer.messages`))]).toEqual([
      ...before,
    ]);
  });

  test("refuses the most common passwords and no others", async () => {
    for (const password of ["123456", "password", "PassWord", "qwerty123"]) {
      expect(await registerUser(visitor(), application({ password }))).toEqual({
        ok: false,
        code: "PASSWORD_COMMON",
        fields: { password: ["validation.passwordCommon"] },
      });
    }
    for (const password of ["aaaaaaab", "бат123", "user12", "      "]) {
      expect((await registerUser(visitor(), application({ password }))).ok).toBe(true);
    }
  });

  test("ends the browser's previous session", async () => {
    const first = await someone();
    const done = await registerUser(first.actor, application());
    expect(done.ok).toBe(true);
    expect(await memberOf(first.token, new Date())).toBeUndefined();
    expect(done.ok && (await actorBy(done.session.token)).userId).toBe(done.ok && done.user.id);
  });

  test("is throttled by the caller's address and by email", async () => {
    const from = visitor({ ip: "203.0.113.9" });
    const answers = [];
    for (let i = 0; i < 41; i++) answers.push(await registerUser(from, application({ password: "123456" })));
    const last = answers.at(-1);
    expectMatch(last, { ok: false, code: "THROTTLED", retryAfterSeconds: expect.any(Number) });
    expect(answers.slice(0, 40).every((answer) => !answer.ok && answer.code === "PASSWORD_COMMON")).toBe(
      true,
    );
  });
});
