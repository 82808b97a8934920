import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { editUserInput } from "../../forms.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { recoveryCodesTable, secondFactorsTable, usersTable } from "../core/schema.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { signInWithPassword } from "../login/login.ts";
import { withFactor } from "../second-factor/factor.fixture.ts";
import { memberOf } from "../sessions/sessions.ts";
import { deleteUserAsAdmin, deleteUserByTypedName } from "./delete-user-as-admin.ts";
import { editUser } from "./edit-user.ts";
import { setAdmin } from "./set-admin.ts";
import { removeSecondFactorOf, signOutEverywhere } from "./unlock-user.ts";
import { readUserAsAdmin } from "./user-detail.ts";

useDatabase();

const clock = useStillClock();

const logged = (userId: number) =>
  db().execute<{ user_id: string; action: string; data: Record<string, unknown> }>(sql`
    SELECT user_id, action, data FROM audit.entries
    WHERE subject_kind = 'user' AND subject_id = ${String(userId)} ORDER BY id DESC LIMIT 1`);
const mailed = async (userId: number) =>
  (
    await db().execute<{ event: string }>(sql`
      SELECT data ->> 'event' AS event FROM mailer.messages
      WHERE user_id = ${userId} AND template = 'securityNotice' ORDER BY id`)
  ).map(({ event }) => event);

const profile = editUserInput.parse({
  displayName: "Дорж Бат",
  phoneNumber: "99112233",
  bankAccount: "5001002003",
});

describe("an administrator's changes of another account", () => {
  test("need an administrator with a fresh login, and an existing person", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const moves = [
      (actor: typeof admin.actor, id: number) => editUser(actor, id, profile),
      (actor: typeof admin.actor, id: number) => setAdmin(actor, id, true),
      (actor: typeof admin.actor, id: number) => removeSecondFactorOf(actor, id),
      (actor: typeof admin.actor, id: number) => signOutEverywhere(actor, id),
      (actor: typeof admin.actor, id: number) => deleteUserAsAdmin(actor, id),
    ];
    const [before] = await db().select().from(usersTable).where(eq(usersTable.id, person.id));
    clock.at = new Date(clock.at.getTime() + 11 * 60_000);
    for (const move of moves) {
      expect(await move(person.actor, person.id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
      expect(await move(admin.actor, person.id)).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
    }
    clock.at = new Date();
    for (const move of moves) {
      expect(await move(admin.actor, 999_999)).toEqual({ ok: false, code: "USER_NOT_FOUND" });
    }
    expect(await db().select().from(usersTable).where(eq(usersTable.id, person.id))).toEqual(
      before ? [before] : [],
    );
    expect(await memberOf(person.token, clock.at)).toBeDefined();
  });

  test("to a profile store the previous values outside the log, and the person is notified", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    expect(await editUser(admin.actor, person.id, profile)).toEqual({ ok: true });
    const seen = await readUserAsAdmin(admin.actor, person.id);
    if (!seen.ok) throw new Error(seen.code);
    expect(seen.user).toMatchObject({ ...profile, avatarInitials: "ДБ", deletedAt: null });
    expect(seen.changes).toMatchObject([
      {
        by: "Bat Bold",
        before: { displayName: "Bat Bold", phoneNumber: null, bankAccount: null },
        after: profile,
      },
    ]);
    const [entry] = await logged(person.id);
    expect(entry).toMatchObject({ user_id: String(admin.id), action: "user_edited" });
    expect(entry?.data).toEqual({
      fields: ["displayName", "phoneNumber", "bankAccount"],
      change: seen.changes[0]?.id,
    });
    expect(JSON.stringify(entry)).not.toMatch(/Дорж|99112233|5001002003/);
    expect(await mailed(person.id)).toEqual(["profile_edited"]);
    expect(await editUser(admin.actor, person.id, profile)).toEqual({ ok: true });
    expect(await mailed(person.id)).toHaveLength(1);
    await editUser(admin.actor, person.id, { phoneNumber: "", bankAccount: "5001002003" });
    expect(await readUserAsAdmin(admin.actor, person.id)).toMatchObject({
      user: { displayName: "Дорж Бат", phoneNumber: null },
      changes: [{ before: { phoneNumber: "99112233" }, after: { phoneNumber: null } }, {}],
    });
  });

  test("are erased with the person", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await editUser(admin.actor, person.id, profile);
    expect(await deleteUserByTypedName(admin.actor, person.id, { confirmation: "somebody" })).toMatchObject({
      code: "CONFIRMATION_MISMATCH",
    });
    const confirmation = person.username.toUpperCase();
    expect(await deleteUserByTypedName(admin.actor, person.id, { confirmation })).toEqual({ ok: true });
    expect(await readUserAsAdmin(admin.actor, person.id)).toMatchObject({
      user: { email: "", phoneNumber: null },
      changes: [],
      devices: 0,
    });
    const [entry] = await logged(person.id);
    expect(entry).toMatchObject({
      action: "user_deleted",
      data: { before: { deleted: false }, after: { deleted: true } },
    });
  });

  test("remove a lost second factor; the sessions end and the password alone signs in", async () => {
    const [admin, person] = [await anAdmin(), await withFactor(clock.at)];
    expect(await removeSecondFactorOf(admin.actor, person.id)).toEqual({ ok: true });
    expect(await memberOf(person.token, clock.at)).toBeUndefined();
    for (const table of [secondFactorsTable, recoveryCodesTable]) {
      expect(await db().select().from(table).where(eq(table.userId, person.id))).toEqual([]);
    }
    const [entry] = await logged(person.id);
    expect(entry).toMatchObject({
      user_id: String(admin.id),
      action: "second_factor_removed",
      data: { before: { secondFactor: true }, after: { secondFactor: false }, sessionsEnded: 1 },
    });
    expect(await mailed(person.id)).toContain("second_factor_removed");
    const again = await signInWithPassword(visitor(), person);
    expect(again.ok).toBe(true);
    expect(await removeSecondFactorOf(admin.actor, person.id)).toEqual({ ok: true });
    expect(again.ok && (await memberOf(again.session.token, clock.at))).toBeDefined();
  });

  test("do not include one's own second factor and account: that takes a code", async () => {
    const admin = await anAdmin();
    for (const move of [removeSecondFactorOf, deleteUserAsAdmin]) {
      expect(await move(admin.actor, admin.id)).toEqual({ ok: false, code: "OWN_ACCOUNT" });
    }
    expect(await memberOf(admin.token, clock.at)).toBeDefined();
  });

  test("sign out all devices of a person at once", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const other = await signInWithPassword(visitor(), person);
    expect(await readUserAsAdmin(admin.actor, person.id)).toMatchObject({ devices: 2 });
    expect(await signOutEverywhere(admin.actor, person.id)).toEqual({ ok: true });
    expect(await memberOf(person.token, clock.at)).toBeUndefined();
    expect(other.ok && (await memberOf(other.session.token, clock.at))).toBeUndefined();
    const [entry] = await logged(person.id);
    expect(entry).toMatchObject({ action: "user_signed_out", data: { sessionsEnded: 2 } });
    expect(await signOutEverywhere(admin.actor, person.id)).toEqual({ ok: true });
    expect(await mailed(person.id)).toEqual(["signed_out_everywhere"]);
  });

  test("of rights are recorded with the previous state, and announced", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await setAdmin(admin.actor, person.id, true);
    const [given] = await logged(person.id);
    expect(given?.data).toEqual({ before: { isAdmin: false }, after: { isAdmin: true }, sessionsEnded: 1 });
    await setAdmin(admin.actor, person.id, false);
    const [taken] = await logged(person.id);
    expect(taken?.data).toMatchObject({ before: { isAdmin: true }, after: { isAdmin: false } });
    expect(await mailed(person.id)).toEqual(["admin_granted", "admin_revoked"]);
  });
});
