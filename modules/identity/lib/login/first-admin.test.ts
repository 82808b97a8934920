import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { config, overrideConfig } from "#config";
import { db } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { actorBy, someone, visitor } from "../core/people.fixture.ts";
import { changePassword } from "../password/change-password.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { adminLogin } from "./login.ts";

useDatabase();

// These tests delete everyone before each test; elsewhere the grants that name them stay.
beforeAll(async () => {
  await ownerDatabase().execute(sql`ALTER TABLE identity.admin_grants DISABLE TRIGGER never_emptied`);
});

const before = config();
beforeEach(async () => {
  overrideConfig({ ADMIN_USERNAME: "admin", ADMIN_PASSWORD: undefined, ADMIN_EMAIL: "admin@midman.example" });
  await ownerDatabase().execute(sql`
    TRUNCATE identity.users, identity.sessions, identity.tokens, identity.consents RESTART IDENTITY CASCADE`);
});
afterEach(() => overrideConfig(before));

const admins = () =>
  db().execute<{ username: string; must_change_password: boolean }>(
    sql`SELECT username, must_change_password FROM identity.users WHERE is_admin`,
  );
const enter = (password: string) => adminLogin(visitor(), { username: "admin", password });

describe("the first start", () => {
  test("creates an administrator with a password that must be changed immediately", async () => {
    const { oneTimePassword } = await ensureFirstAdmin(new Date());
    // 128 random bits take 22 characters of base64url.
    expect(oneTimePassword).toMatch(/^[\w-]{22,}$/);
    expect([...(await admins())]).toEqual([{ username: "admin", must_change_password: true }]);
    const done = await enter(oneTimePassword ?? "");
    if (!done.ok) throw new Error(done.code);
    expect(done.user.mustChangePassword).toBe(true);
    const actor = await actorBy(done.session.token);
    const changed = await changePassword(actor, {
      currentPassword: oneTimePassword ?? "",
      newPassword: "a long word of my own",
    });
    expect(changed.ok).toBe(true);
    expect((await enter(oneTimePassword ?? "")).ok).toBe(false);
    expect(await ensureFirstAdmin(new Date())).toEqual({ oneTimePassword: null });
    expect((await enter("a long word of my own")).ok).toBe(true);
  });

  test("uses the password of the settings, which stays", async () => {
    overrideConfig({ ADMIN_PASSWORD: "given by the settings" });
    expect(await ensureFirstAdmin(new Date())).toEqual({ oneTimePassword: null });
    expect([...(await admins())]).toEqual([{ username: "admin", must_change_password: false }]);
    expect((await enter("given by the settings")).ok).toBe(true);
  });

  test("of eight instances at once creates one administrator and prints one password", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ensureFirstAdmin(new Date())));
    const told = answers.flatMap(({ oneTimePassword }) => oneTimePassword ?? []);
    expect(told).toHaveLength(1);
    expect(await admins()).toHaveLength(1);
    expect((await enter(told[0] ?? "")).ok).toBe(true);
  });

  test("that was missed is made up for by ADMIN_PASSWORD, until the password was changed", async () => {
    await ensureFirstAdmin(new Date());
    overrideConfig({ ADMIN_PASSWORD: "given by the settings" });
    await ensureFirstAdmin(new Date());
    expect((await enter("given by the settings")).ok).toBe(true);
    overrideConfig({ ADMIN_PASSWORD: "given a second time" });
    await ensureFirstAdmin(new Date());
    expect((await enter("given a second time")).ok).toBe(false);
  });

  test("reports a name or address that belongs to another person", async () => {
    await someone({ username: "Admin" });
    await expect(ensureFirstAdmin(new Date())).rejects.toThrow("ADMIN_USERNAME, ADMIN_EMAIL");
    overrideConfig({ ADMIN_USERNAME: "no such name" });
    await expect(ensureFirstAdmin(new Date())).rejects.toThrow("ADMIN_USERNAME");
  });
});
