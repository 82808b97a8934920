import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { actorBy, anAdmin, visitor } from "../core/people.fixture.ts";
import { loginTicketsTable, sessionsTable } from "../core/schema.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { changePassword, confirmPassword } from "../password/change-password.ts";
import { resetPassword } from "../password/reset-password.ts";
import { codeOf, withFactor } from "../second-factor/factor.fixture.ts";
import { removeSecondFactor, secondFactorOf } from "../second-factor/manage-second-factor.ts";
import { memberOf } from "../sessions/sessions.ts";
import { finishLogin } from "./finish-login.ts";
import { adminLogin, signInWithPassword } from "./login.ts";
import { makeLink } from "./mailed-links.ts";

useDatabase();

const clock = useStillClock();

type Owner = Awaited<ReturnType<typeof withFactor>>;

/** The ticket returned for the correct password. */
async function ticketOf(
  person: Owner,
  from = visitor(),
  enter: typeof signInWithPassword | typeof adminLogin = signInWithPassword,
) {
  const answer = await enter(from, person);
  if (answer.ok || answer.code !== "SECOND_FACTOR_REQUIRED") throw new Error("no ticket");
  return answer.ticket.token;
}

const openSessions = (userId: number) =>
  db().select().from(sessionsTable).where(eq(sessionsTable.userId, userId));

describe("signing in with a second factor", () => {
  test("opens no session with the password alone, and one with the code", async () => {
    const person = await withFactor(clock.at);
    const before = await openSessions(person.id);
    const asked = await signInWithPassword(visitor(), person);
    expect(asked).toEqual({
      ...{ ok: false, code: "SECOND_FACTOR_REQUIRED" },
      ticket: {
        token: expect.stringMatching(/^[\w-]{43}$/),
        expires: new Date(clock.at.getTime() + 300_000),
      },
    });
    expect(await openSessions(person.id)).toHaveLength(before.length);
    if (asked.ok || asked.code !== "SECOND_FACTOR_REQUIRED") throw new Error("no ticket");
    const ticket = asked.ticket.token;
    expect(await memberOf(ticket, clock.at)).toBeUndefined();
    const done = await finishLogin(visitor(), { ticket, code: codeOf(person.secret, clock.at) });
    if (!done.ok) throw new Error(done.code);
    expect(done.user).toMatchObject({ id: person.id, secondFactor: true });
    expect((await actorBy(done.session.token)).userId).toBe(person.id);
    const again = await finishLogin(visitor(), { ticket, code: codeOf(person.secret, clock.at, 1) });
    expect(again).toEqual({ ok: false, code: "SIGN_IN_EXPIRED" });
  });

  test("replies to a wrong password and an unknown name like without one", async () => {
    const person = await withFactor(clock.at);
    const wrong = await signInWithPassword(visitor(), { ...person, password: "not the word" });
    expect(wrong).toEqual({ ok: false, code: "INVALID_CREDENTIALS" });
    const none = await finishLogin(visitor(), { ticket: undefined, code: codeOf(person.secret, clock.at) });
    expect(none).toEqual({ ok: false, code: "SIGN_IN_EXPIRED" });
    const made = await finishLogin(visitor(), {
      ticket: "x".repeat(43),
      code: codeOf(person.secret, clock.at),
    });
    expect(made).toEqual(none);
  });

  test("accepts a code once, and none older than the last one accepted", async () => {
    const person = await withFactor(clock.at); // turned on with the code of the previous step
    const [first, second] = [await ticketOf(person), await ticketOf(person)];
    const used = await finishLogin(visitor(), { ticket: first, code: codeOf(person.secret, clock.at, -1) });
    expect(used).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    const newest = codeOf(person.secret, clock.at, 1);
    expect(await finishLogin(visitor(), { ticket: first, code: newest })).toMatchObject({ ok: true });
    for (const steps of [1, 0]) {
      const code = codeOf(person.secret, clock.at, steps);
      const replayed = await finishLogin(visitor(), { ticket: second, code });
      expect(replayed).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    }
    clock.at = new Date(clock.at.getTime() + 60_000);
    const next = await finishLogin(visitor(), { ticket: second, code: codeOf(person.secret, clock.at) });
    expect(next).toMatchObject({ ok: true });
  });

  test("opens one session for one code used by five tickets at once", async () => {
    const person = await withFactor(clock.at);
    const tickets = await Promise.all([1, 2, 3, 4, 5].map(() => ticketOf(person)));
    const code = codeOf(person.secret, clock.at);
    const answers = await Promise.all(tickets.map((ticket) => finishLogin(visitor(), { ticket, code })));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(await openSessions(person.id)).toHaveLength(2);
  });

  test("accepts each recovery code once, and notifies the owner", async () => {
    const person = await withFactor(clock.at);
    const [code = ""] = person.recovery;
    const done = await finishLogin(visitor(), { ticket: await ticketOf(person), code });
    expect(done).toMatchObject({ ok: true });
    const again = await finishLogin(visitor(), { ticket: await ticketOf(person), code });
    expect(again).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    expect(await secondFactorOf(person.actor)).toMatchObject({ recoveryCodesLeft: 9 });
    const [mail] = await db().execute<{ sent: number }>(sql`
      SELECT count(*)::int AS sent FROM mailer.messages
      WHERE user_id = ${person.id} AND data ->> 'event' = 'recovery_code_used'`);
    expect(mail?.sent).toBe(1);
    const [entry] = await db().execute<{ data: object }>(sql`
      SELECT data FROM audit.entries WHERE action = 'recovery_code_used' AND subject_id = ${String(person.id)}`);
    expect(entry?.data).toEqual({ left: 9 });
  });

  test("does not accept another person's codes", async () => {
    const [owner, other] = [await withFactor(clock.at), await withFactor(clock.at)];
    const ticket = await ticketOf(owner);
    for (const code of [codeOf(other.secret, clock.at), other.recovery[0] ?? ""]) {
      expect(await finishLogin(visitor(), { ticket, code })).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    }
    expect(await secondFactorOf(other.actor)).toMatchObject({ recoveryCodesLeft: 10 });
  });

  test("limits wrong codes per address and says when to return; the owner can sign in elsewhere", async () => {
    const person = await withFactor(clock.at);
    const [stranger, ticket] = [visitor(), await ticketOf(person)];
    const answers = [];
    for (let n = 0; n < 7; n++) answers.push(await finishLogin(stranger, { ticket, code: "000000" }));
    expect(answers[5]).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    expect(answers[6]).toEqual({ ok: false, code: "THROTTLED", retryAfterSeconds: 150 });
    const right = { ticket: await ticketOf(person), code: codeOf(person.secret, clock.at) };
    expect(await finishLogin(stranger, right)).toMatchObject({ code: "THROTTLED" });
    expect(await finishLogin(visitor(), right)).toMatchObject({ ok: true });
  });

  test("fails with a ticket after five minutes, or after a new password", async () => {
    const person = await withFactor(clock.at);
    const [late, voided] = [await ticketOf(person), await ticketOf(person)];
    const change = {
      currentPassword: person.password,
      newPassword: "another word",
      code: codeOf(person.secret, clock.at),
    };
    expect(await changePassword(person.actor, change)).toMatchObject({ ok: true });
    const code = codeOf(person.secret, clock.at, 1);
    const expired = { ok: false, code: "SIGN_IN_EXPIRED" } as const;
    expect(await finishLogin(visitor(), { ticket: voided, code })).toEqual(expired);
    const fresh = await ticketOf({ ...person, password: "another word" });
    clock.at = new Date(clock.at.getTime() + 300_001);
    for (const ticket of [late, fresh]) {
      const answer = await finishLogin(visitor(), { ticket, code: codeOf(person.secret, clock.at) });
      expect(answer).toEqual(expired);
    }
  });

  test("needs the code at the administrators' login too, and opens an administrator's session", async () => {
    const admin = await withFactor(clock.at, await anAdmin());
    const ticket = await ticketOf(admin, visitor(), adminLogin);
    const done = await finishLogin(visitor(), { ticket, code: codeOf(admin.secret, clock.at) });
    if (!done.ok) throw new Error(done.code);
    expect(done.session.expires.getTime()).toBeLessThanOrEqual(clock.at.getTime() + 12 * 3_600_000);
    const entries = await db().execute<{ data: object }>(sql`
      SELECT data FROM audit.entries WHERE action = 'admin_login' AND user_id = ${admin.id}`);
    expect(entries.map(({ data }) => data)).toEqual([{ secondFactor: "code" }]);
  });

  test("still needs the factor after a password reset by mail", async () => {
    const person = await withFactor(clock.at);
    const link = await runInTransaction((tx) => makeLink(tx, "password_reset", person, clock.at));
    const token = link.split("token=")[1] ?? "";
    const newPassword = "a word after that";
    expect(await resetPassword(visitor(), { token, newPassword })).toMatchObject({ ok: true });
    const again = { ...person, password: newPassword };
    const ticket = await ticketOf(again);
    const done = await finishLogin(visitor(), { ticket, code: codeOf(person.secret, clock.at) });
    if (!done.ok) throw new Error(done.code);
    const standing = await secondFactorOf(await actorBy(done.session.token, clock.at));
    expect(standing).toMatchObject({ on: true, recoveryCodesLeft: 10 });
  });
});

describe("confirming one's identity with a second factor", () => {
  test("needs the code besides the password, for confirming and for changing it", async () => {
    const person = await withFactor(clock.at);
    const needed = { code: "SECOND_FACTOR_REQUIRED", fields: { code: ["errors.SECOND_FACTOR_REQUIRED"] } };
    const change = { currentPassword: person.password, newPassword: "another word" };
    expect(await confirmPassword(person.actor, { password: person.password })).toMatchObject(needed);
    expect(await changePassword(person.actor, change)).toMatchObject(needed);
    const wrong = await confirmPassword(person.actor, { password: person.password, code: "000000" });
    expect(wrong).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    const code = codeOf(person.secret, clock.at);
    const done = await confirmPassword(person.actor, { password: person.password, code });
    if (!done.ok) throw new Error(done.code);
    const actor = await actorBy(done.session.token, clock.at);
    expect(await changePassword(actor, { ...change, code })).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    const recovered = await changePassword(actor, { ...change, code: person.recovery[3] });
    expect(recovered).toMatchObject({ ok: true });
  });

  test("uses no code up after a wrong password", async () => {
    const person = await withFactor(clock.at);
    const code = codeOf(person.secret, clock.at);
    const wrong = await confirmPassword(person.actor, { password: "not the word", code });
    expect(wrong).toMatchObject({ code: "PASSWORD_WRONG" });
    const done = await confirmPassword(person.actor, { password: person.password, code });
    expect(done).toMatchObject({ ok: true });
  });
});

test("removing the factor ends the sign-ins that wait for its code", async () => {
  const person = await withFactor(clock.at);
  const ticket = await ticketOf(person);
  expect(await removeSecondFactor(person.actor)).toEqual({ ok: true });
  const tickets = await db().select().from(loginTicketsTable).where(eq(loginTicketsTable.userId, person.id));
  expect(tickets).toHaveLength(0);
  const answer = await finishLogin(visitor(), { ticket, code: "123456" });
  expect(answer).toEqual({ ok: false, code: "SIGN_IN_EXPIRED" });
  expect(await signInWithPassword(visitor(), person)).toMatchObject({ ok: true });
});
