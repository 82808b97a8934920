import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { someone, visitor } from "../core/people.fixture.ts";
import { findPeople } from "../core/users/people.ts";
import { readOwnProfile, updateProfile } from "./profile.ts";

useDatabase();

describe("a profile", () => {
  test("is readable and editable by its owner; omitted fields stay, an empty text clears", async () => {
    const person = await someone();
    const done = await updateProfile(person.actor, { phoneNumber: "9911 2233", bankAccount: "Хаан 5001" });
    expect(done).toMatchObject({ ok: true, user: { phoneNumber: "9911 2233", bankAccount: "Хаан 5001" } });
    await updateProfile(person.actor, { phoneNumber: "", language: "mn" });
    expect(await readOwnProfile(person.actor)).toMatchObject({
      ok: true,
      user: { id: person.id, phoneNumber: null, bankAccount: "Хаан 5001", language: "mn" },
    });
    await updateProfile(person.actor, { bankAccount: null });
    expect(await readOwnProfile(person.actor)).toMatchObject({ user: { bankAccount: null } });
  });

  test("logs which fields changed, never their values; nothing if nothing changed", async () => {
    const person = await someone();
    await updateProfile(person.actor, { phoneNumber: "99112233" });
    await updateProfile(person.actor, { phoneNumber: "99112233" });
    const entries = await db().execute(
      sql`SELECT data FROM audit.entries WHERE action = 'profile_updated' AND user_id = ${person.id}`,
    );
    expect([...entries]).toEqual([{ data: { fields: ["phoneNumber"] } }]);
  });

  test("does not exist for a visitor", async () => {
    const refused = { ok: false, code: "AUTH_REQUIRED" } as const;
    expect(await readOwnProfile(visitor())).toEqual(refused);
    expect(await updateProfile(visitor(), {})).toEqual(refused);
  });
});

describe("people", () => {
  test("are returned by id; missing ids are absent", async () => {
    const [one, two] = [await someone(), await someone({ displayName: "Oyu" })];
    const found = await findPeople(db(), [one.id, two.id, one.id, 999_999]);
    expect([...found.keys()].sort()).toEqual([one.id, two.id].sort());
    expect(found.get(two.id)).toEqual({
      id: two.id,
      username: two.username,
      displayName: "Oyu",
      avatarInitials: "OY",
      phoneNumber: null,
      bankAccount: null,
      email: two.email,
      greetedAs: "",
      language: "en",
      isAdmin: false,
      notifications: { reminders: true, roomActivity: true, requests: true },
      notificationPreferences: { pushMessages: true, mailMessages: true, quietFrom: null, quietTo: null },
      restriction: null,
      restrictedUntil: null,
      deleted: false,
    });
    expect((await findPeople(db(), [])).size).toBe(0);
  });
});
