import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { application, someone, visitor } from "../core/people.fixture.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { forgotPassword } from "../password/forgot-password.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";
import { withFactor } from "../second-factor/factor.fixture.ts";
import { finishLogin } from "./finish-login.ts";
import { signInWithPassword } from "./login.ts";
import { registerUser } from "./register.ts";
import { mayTry } from "./throttles.ts";

useDatabase();
const clock = useStillClock();
beforeEach(async () => void (await ownerDatabase().execute(sql`TRUNCATE base.throttle`)));

const refused = { ok: false, code: "THROTTLED" };
let hosts = 0;
/** A new IP address each time: one of the 2^64 of a home network, or of a neighbour's. */
const from = (net = "2001:db8:7:1") => visitor({ ip: `${net}::${(++hosts).toString(16)}` });
const nextDoor = () => from("2001:db8:7:2");

test("someone with a whole network has no more password attempts than someone with one address", async () => {
  const person = await someone();
  const wrong = { username: person.username, password: "not the word" };
  for (let i = 0; i < 10; i++)
    expect(await signInWithPassword(from(), wrong)).toMatchObject({ code: "INVALID_CREDENTIALS" });
  expect(await signInWithPassword(from(), person)).toMatchObject(refused);
  expect((await signInWithPassword(nextDoor(), person)).ok).toBe(true);
});

test("the same for passwords of many accounts", async () => {
  const person = await someone();
  for (let i = 0; i < 149; i++) await mayTry({ "login:ip": networkPrefixOf(from().ip) }, currentTime());
  expect(await signInWithPassword(from(), person)).toMatchObject({ ok: true });
  expect(await signInWithPassword(from(), person)).toMatchObject(refused);
  expect((await signInWithPassword(nextDoor(), person)).ok).toBe(true);
});

test("the same for codes", async () => {
  const person = await withFactor(clock.at);
  const asked = await signInWithPassword(visitor(), person);
  if (asked.ok || asked.code !== "SECOND_FACTOR_REQUIRED") throw new Error("no ticket");
  const tried = { ticket: asked.ticket.token, code: "000000" };
  for (let i = 0; i < 6; i++)
    expect(await finishLogin(from(), tried)).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
  expect(await finishLogin(from(), tried)).toMatchObject(refused);
  expect(await finishLogin(nextDoor(), tried)).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
});

test("the same for registrations and mailed links", async () => {
  const common = () => application({ password: "123456" });
  for (let i = 0; i < 40; i++)
    expect(await registerUser(from(), common())).toMatchObject({ code: "PASSWORD_COMMON" });
  expect(await registerUser(from(), common())).toMatchObject(refused);
  expect(await registerUser(nextDoor(), common())).toMatchObject({ code: "PASSWORD_COMMON" });
  const email = () => ({ email: application().email });
  for (let i = 0; i < 40; i++) expect((await forgotPassword(from(), email())).ok).toBe(true);
  expect(await forgotPassword(from(), email())).toMatchObject(refused);
  expect((await forgotPassword(nextDoor(), email())).ok).toBe(true);
});

test("the log stores the full address", async () => {
  const ip = "2001:db8:7:3::abcd";
  const person = await someone({}, visitor({ ip }));
  const kept = await db().execute(sql`SELECT t.ip FROM audit.entries e
    JOIN audit.traces t ON t.entry_id = e.id WHERE e.user_id = ${person.id} AND e.action = 'login'`);
  expect([...kept]).toEqual([{ ip }]);
});
