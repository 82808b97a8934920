import { afterEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { config, overrideConfig } from "#config";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { consentVersions } from "../../forms.ts";
import { actorBy, someone, visitor } from "../core/people.fixture.ts";
import { sessionsTable } from "../core/schema.ts";
import { signInWithPassword } from "../login/login.ts";
import { registerDataCollector } from "./data-collectors.ts";
import { downloadPersonalData } from "./personal-data.ts";
import { updateProfile } from "./profile.ts";

useDatabase();
const { THROTTLE_FACTOR } = config();
let withdraw = () => {};
afterEach(() => {
  withdraw();
  overrideConfig({ THROTTLE_FACTOR });
});

describe("one's own data", () => {
  test("is everything stored about the person, with what higher modules add", async () => {
    withdraw = registerDataCollector("shelves", async (_exec, userId) => [{ shelf: userId }]);
    const person = await someone({}, visitor({ device: "a phone", ip: "192.0.2.7" }));
    await updateProfile(person.actor, { phoneNumber: "99112233", bankAccount: "5001002003" });
    const answer = await downloadPersonalData(person.actor);
    if (!answer.ok) throw new Error(answer.code);
    const { data } = answer;
    expect(Object.keys(data)).toEqual([
      ...["generatedAt", "profile", "consents", "sessions", "notifications", "telling"],
      ...[
        "passkeys",
        "notifiedDevices",
        "profileChanges",
        "savedFilters",
        "restrictions",
        "shelves",
        "activity",
      ],
    ]);
    expect(data.profile).toMatchObject({ id: person.id, email: person.email, phoneNumber: "99112233" });
    expect(data.consents.map(({ document, version }) => [document, version]).sort()).toEqual(
      Object.entries(consentVersions).sort(),
    );
    expect(data.sessions).toMatchObject([{ device: "a phone", ip: "192.0.2.7", current: true }]);
    expect(data.shelves).toEqual([{ shelf: person.id }]);
    expect(data.activity.map(({ action }) => action)).toEqual(["profile_updated", "login", "register"]);
    expect(data.activity.at(-1)).toMatchObject({ ip: "192.0.2.7", device: "a phone", roomId: null });
    expect(JSON.stringify(data)).not.toMatch(/argon2|token|secret"/i);
    const log = await db().execute(sql`SELECT 1 FROM audit.entries WHERE action = 'data_downloaded'`);
    expect(log).toHaveLength(1);
  });

  test("has nothing about anyone else", async () => {
    const [person, other] = [await someone(), await someone({ displayName: "Somebody Else" })];
    await signInWithPassword(visitor({ ip: "192.0.2.99" }), other);
    const answer = await downloadPersonalData(person.actor);
    const text = JSON.stringify(answer.ok && answer.data);
    expect(text).toContain(person.email);
    for (const foreign of [other.email, other.username, "Somebody Else", "192.0.2.99"]) {
      expect(text).not.toContain(foreign);
    }
  });

  test("needs a fresh login, and is limited to three times a day", async () => {
    overrideConfig({ THROTTLE_FACTOR: 1 });
    const person = await someone();
    expect(await downloadPersonalData(visitor())).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    for (let time = 0; time < 3; time++)
      expect(await downloadPersonalData(person.actor)).toMatchObject({ ok: true });
    expect(await downloadPersonalData(person.actor)).toMatchObject({ code: "THROTTLED" });
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await db()
      .update(sessionsTable)
      .set({ authenticatedAt: longAgo })
      .where(eq(sessionsTable.userId, person.id));
    expect(await downloadPersonalData(await actorBy(person.token))).toEqual({
      ok: false,
      code: "REAUTH_REQUIRED",
    });
  });
});
