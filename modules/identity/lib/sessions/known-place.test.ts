import { describe, expect, test } from "bun:test";
import { runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { finishLogin } from "../login/finish-login.ts";
import { adminLogin, signInWithPassword } from "../login/login.ts";
import { makeLink } from "../login/mailed-links.ts";
import { mayTry } from "../login/throttles.ts";
import { resetPassword } from "../password/reset-password.ts";
import { codeOf, withFactor } from "../second-factor/factor.fixture.ts";

useDatabase();

const clock = useStillClock();

/** Uses up the attempts that strangers at many addresses may make together. */
async function guessed({ username }: { username: string }) {
  for (let i = 0; i < 60; i++) await mayTry({ "login:account": username }, clock.at);
}

describe("an account whose password others guess from several addresses", () => {
  test("can be signed in to by its owner where they signed in before, and by nobody elsewhere", async () => {
    const home = visitor();
    const person = await someone({}, home);
    const wrong = { username: person.username, password: "not the word" };
    const strangers = Array.from({ length: 6 }, () => visitor());
    for (const stranger of strangers) for (let i = 0; i < 10; i++) await signInWithPassword(stranger, wrong);
    expect(await signInWithPassword(visitor(), person)).toMatchObject({ code: "THROTTLED" });
    expect((await signInWithPassword(home, person)).ok).toBe(true);
  });

  test("can be signed in to from the whole network of a known place, and only there", async () => {
    const person = await someone({}, visitor({ ip: "2001:db8:a:1::1" }));
    await guessed(person);
    expect(await signInWithPassword(visitor({ ip: "2001:db8:a:2::1" }), person)).toMatchObject({
      code: "THROTTLED",
    });
    expect((await signInWithPassword(visitor({ ip: "2001:db8:a:1::2" }), person)).ok).toBe(true);
  });

  test("is throttled in a known place like anywhere", async () => {
    const home = visitor();
    const person = await someone({}, home);
    await guessed(person);
    const wrong = { username: person.username, password: "not the word" };
    for (let i = 0; i < 10; i++)
      expect(await signInWithPassword(home, wrong)).toMatchObject({ code: "INVALID_CREDENTIALS" });
    expect(await signInWithPassword(home, wrong)).toMatchObject({ code: "THROTTLED" });
  });

  test("is not opened by places where others signed in, or unused for thirty days", async () => {
    const [home, theirs] = [visitor(), visitor()];
    const [person] = [await someone({}, home), await someone({}, theirs)];
    await guessed(person);
    expect(await signInWithPassword(theirs, person)).toMatchObject({ code: "THROTTLED" });
    clock.at = new Date(clock.at.getTime() + 31 * 86_400_000);
    await guessed(person);
    expect(await signInWithPassword(home, person)).toMatchObject({ code: "THROTTLED" });
  });

  test("can be signed in to at a new place with a mailed link", async () => {
    const person = await someone();
    await guessed(person);
    const away = visitor();
    expect(await signInWithPassword(away, person)).toMatchObject({ code: "THROTTLED" });
    const link = await runInTransaction((tx) => makeLink(tx, "password_reset", person, clock.at));
    const token = link.split("token=")[1] ?? "";
    const password = "another correct horse";
    expect(await resetPassword(away, { token, newPassword: password })).toMatchObject({ ok: true });
    await guessed(person);
    expect(await signInWithPassword(visitor(), { ...person, password })).toMatchObject({ code: "THROTTLED" });
    expect((await signInWithPassword(away, { ...person, password })).ok).toBe(true);
  });

  test("works the same at the administrators' login", async () => {
    const admin = await anAdmin();
    const office = visitor();
    expect((await adminLogin(office, admin)).ok).toBe(true);
    await guessed(admin);
    expect(await adminLogin(visitor(), admin)).toMatchObject({ code: "THROTTLED" });
    expect((await adminLogin(office, admin)).ok).toBe(true);
  });
});

test("codes tried by someone with the password from several addresses do not lock the owner out", async () => {
  const home = visitor();
  const person = await withFactor(clock.at, await someone({}, home));
  const ticket = async () => {
    const asked = await signInWithPassword(home, person);
    if (asked.ok || asked.code !== "SECOND_FACTOR_REQUIRED") throw new Error("no ticket");
    return asked.ticket.token;
  };
  const begun = await ticket();
  for (let n = 0; n < 6; n++) {
    const stranger = visitor();
    for (let i = 0; i < 6; i++) await finishLogin(stranger, { ticket: begun, code: "000000" });
  }
  const right = { ticket: begun, code: codeOf(person.secret, clock.at) };
  expect(await finishLogin(visitor(), right)).toMatchObject({ code: "THROTTLED" });
  for (let i = 0; i < 5; i++)
    expect(await finishLogin(home, { ticket: begun, code: "000000" })).toMatchObject({
      code: "SECOND_FACTOR_WRONG",
    });
  expect((await finishLogin(home, right)).ok).toBe(true);
  const next = await ticket();
  for (let n = 0; n < 6; n++) await finishLogin(home, { ticket: next, code: "000000" });
  expect(await finishLogin(home, { ticket: next, code: "000000" })).toMatchObject({ code: "THROTTLED" });
});
