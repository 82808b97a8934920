import { afterEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { encryptionKey } from "#db/secrets/instance-secrets";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { visitor } from "../core/people.fixture.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { finishLogin } from "../login/finish-login.ts";
import { signInWithPassword } from "../login/login.ts";
import { codeOf, withFactor } from "./factor.fixture.ts";
import { resealFactors } from "./reseal-factors.ts";

useDatabase();
const clock = useStillClock();

const before = config();
afterEach(() => overrideConfig({ ...before, ENCRYPTION_KEY: undefined, ENCRYPTION_KEYS_BEFORE: undefined }));

/** Signs a person in with the code `steps` from the current one. */
async function signsIn(person: Awaited<ReturnType<typeof withFactor>>, steps: number): Promise<boolean> {
  const asked = await signInWithPassword(visitor(), person);
  if (asked.ok || asked.code !== "SECOND_FACTOR_REQUIRED") throw new Error("no code was asked for");
  const code = codeOf(person.secret, clock.at, steps);
  return (await finishLogin(visitor(), { ticket: asked.ticket.token, code })).ok;
}

test("a second factor keeps working while the key is replaced, and afterwards with the new one alone", async () => {
  const person = await withFactor(clock.at);
  const older = encryptionKey().toString("hex");
  overrideConfig({ ENCRYPTION_KEY: "ab".repeat(32), ENCRYPTION_KEYS_BEFORE: older });
  expect(await signsIn(person, 0)).toBe(true);
  expect(await resealFactors()).toEqual({ done: 1, unopened: [] });
  expect(await resealFactors()).toEqual({ done: 0, unopened: [] });
  overrideConfig({ ENCRYPTION_KEYS_BEFORE: undefined });
  expect(await signsIn(person, 1)).toBe(true);
});

test("a second factor that no available key opens is named and unchanged, and the others are resealed", async () => {
  const older = encryptionKey().toString("hex");
  overrideConfig({ ENCRYPTION_KEY: "ef".repeat(32), ENCRYPTION_KEYS_BEFORE: older });
  const lost = await withFactor(clock.at);
  overrideConfig({ ENCRYPTION_KEY: older, ENCRYPTION_KEYS_BEFORE: undefined });
  const person = await withFactor(clock.at);
  overrideConfig({ ENCRYPTION_KEY: "cd".repeat(32), ENCRYPTION_KEYS_BEFORE: older });
  const { done, unopened } = await resealFactors();
  expect(done).toBe(1);
  expect(unopened.filter((name) => name.endsWith(`(${lost.username})`))).toHaveLength(1);
  expect(unopened.some((name) => name.endsWith(`(${person.username})`))).toBe(false);
  overrideConfig({ ENCRYPTION_KEYS_BEFORE: undefined });
  expect(await signsIn(person, 0)).toBe(true);
  expect(await resealFactors()).toEqual({ done: 0, unopened });
});
