import { afterEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { drainJobs } from "#db/jobs";
import { listMail } from "#modules/mailer";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { anAdmin, application, someone, visitor } from "../core/people.fixture.ts";
import { tokensTable, usersTable } from "../core/schema.ts";
import { signInWithPassword } from "../login/login.ts";
import { memberOf } from "../sessions/sessions.ts";
import { forgotPassword } from "./forgot-password.ts";
import { findResetOwner, resetPassword } from "./reset-password.ts";

useDatabase();
let restore = () => {};
afterEach(() => restore());

/** The token in the newest reset mail to that address. */
async function mailedToken(email: string): Promise<string> {
  await drainJobs(new Date(Date.now() + 60_000));
  const box = await listMail({ to: email });
  const links = box.ok ? box.mails.flatMap((mail) => mail.links) : [];
  const link = links.find((one) => one.includes("/reset-password?token="));
  const token = link && new URL(link).searchParams.get("token");
  if (!token) throw new Error("no reset link was mailed");
  return token;
}

async function askedFor(email: string): Promise<string> {
  expect(await forgotPassword(visitor(), { email })).toEqual({ ok: true });
  return mailedToken(email);
}

const count = async (table: string) =>
  (await db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${sql.raw(table)}`))[0]?.n ?? -1;

describe("a forgotten password", () => {
  test("is replaced by the link in the mail; every session ends", async () => {
    const person = await someone();
    const token = await askedFor(person.email.toUpperCase());
    expect(await findResetOwner(token)).toEqual({ isAdmin: false });
    const done = await resetPassword(visitor(), { token, newPassword: "another word" });
    expect(done).toEqual({ ok: true, userId: person.id });
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    expect(await signInWithPassword(visitor(), person)).toMatchObject({ code: "INVALID_CREDENTIALS" });
    expect((await signInWithPassword(visitor(), { ...person, password: "another word" })).ok).toBe(true);
  });

  test("link works once, even for twenty at the same moment", async () => {
    const person = await someone();
    const token = await askedFor(person.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        resetPassword(visitor(), { token, newPassword: `word number ${i}` }),
      ),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const rest = answers.filter((answer) => !answer.ok);
    expect(rest.every((answer) => !answer.ok && answer.code === "RESET_LINK_INVALID")).toBe(true);
    const again = await resetPassword(visitor(), { token, newPassword: "another word" });
    expect(again).toEqual({ ok: false, code: "RESET_LINK_INVALID" });
  });

  test("link works for an hour", async () => {
    const person = await someone();
    const token = await askedFor(person.email);
    restore = setClock(() => new Date(Date.now() + 61 * 60_000));
    expect(await findResetOwner(token)).toBeUndefined();
    expect(await resetPassword(visitor(), { token, newPassword: "another word" })).toEqual({
      ok: false,
      code: "RESET_LINK_INVALID",
    });
  });

  test("link is void once another was requested, or if the token is unknown", async () => {
    const person = await someone();
    const first = await askedFor(person.email);
    await askedFor(person.email);
    for (const token of [first, "", "x".repeat(43), "'; --"]) {
      expect(await resetPassword(visitor(), { token, newPassword: "another word" })).toMatchObject({
        code: "RESET_LINK_INVALID",
      });
    }
    const open = await db().select().from(tokensTable).where(eq(tokensTable.userId, person.id));
    expect(open.filter((row) => row.kind === "password_reset")).toHaveLength(1);
  });

  test("link of another kind does not reset a password", async () => {
    const person = await someone();
    await drainJobs(new Date(Date.now() + 60_000));
    const box = await listMail({ to: person.email });
    const links = box.ok ? box.mails.flatMap((mail) => mail.links) : [];
    const verification = links.find((link) => link.includes("/verify-email?token=")) ?? "";
    const token = new URL(verification).searchParams.get("token") ?? "";
    expect(await resetPassword(visitor(), { token, newPassword: "another word" })).toMatchObject({
      code: "RESET_LINK_INVALID",
    });
  });

  test("that is common, or short for an administrator, is refused and the link stays valid", async () => {
    const person = await someone();
    const token = await askedFor(person.email);
    expect(await resetPassword(visitor(), { token, newPassword: "iloveyou" })).toEqual({
      ok: false,
      code: "PASSWORD_COMMON",
      fields: { newPassword: ["validation.passwordCommon"] },
    });
    expect((await resetPassword(visitor(), { token, newPassword: "another word" })).ok).toBe(true);
    const admin = await anAdmin();
    const theirs = await askedFor(admin.email);
    expect(await resetPassword(visitor(), { token: theirs, newPassword: "eleven chrs" })).toMatchObject({
      code: "PASSWORD_SHORT_FOR_ADMIN",
    });
  });

  test("of an unknown address gets the same reply, with the same work, and no mail", async () => {
    const person = await someone();
    await drainJobs(new Date(Date.now() + 60_000));
    const before = { audit: await count("audit.entries"), jobs: await count("pgboss.job") };
    expect(await forgotPassword(visitor(), { email: person.email })).toEqual({ ok: true });
    const known = { audit: await count("audit.entries"), jobs: await count("pgboss.job") };
    expect(await forgotPassword(visitor(), { email: application().email })).toEqual({ ok: true });
    const unknown = { audit: await count("audit.entries"), jobs: await count("pgboss.job") };
    expect(known).toEqual({ audit: before.audit + 1, jobs: before.jobs + 1 });
    expect(unknown).toEqual({ audit: known.audit + 1, jobs: known.jobs + 1 });
    const mails = await count("mailer.messages");
    await drainJobs(new Date(Date.now() + 60_000));
    expect(await count("mailer.messages")).toBe(mails + 1);
  });

  test("is throttled by email, known or unknown, and by the caller's address", async () => {
    for (const email of [(await someone()).email, application().email]) {
      for (let i = 0; i < 5; i++) expect((await forgotPassword(visitor(), { email })).ok).toBe(true);
      expectMatch(await forgotPassword(visitor(), { email }), {
        code: "THROTTLED",
        retryAfterSeconds: expect.any(Number),
      });
    }
    const from = visitor();
    for (let i = 0; i < 40; i++) await forgotPassword(from, { email: application().email });
    expect(await forgotPassword(from, { email: application().email })).toMatchObject({ code: "THROTTLED" });
  });

  test("is not mailed to someone deleted since the request", async () => {
    const person = await someone();
    await forgotPassword(visitor(), { email: person.email });
    await db()
      .update(usersTable)
      .set({ deletedAt: new Date(), email: null, usernameKey: null, passwordHash: null })
      .where(eq(usersTable.id, person.id));
    await drainJobs(new Date(Date.now() + 60_000));
    const open = await db().select().from(tokensTable).where(eq(tokensTable.userId, person.id));
    expect(open.filter((row) => row.kind === "password_reset")).toEqual([]);
  });
});
