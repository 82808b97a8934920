import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import type { RestrictInput } from "../../forms.ts";
import { updateProfile } from "../account/profile.ts";
import { deleteUserAsAdmin } from "../administrators/delete-user-as-admin.ts";
import { editUser } from "../administrators/edit-user.ts";
import { registerIdentityGuard } from "../core/identity-guards.ts";
import { anAdmin, someone } from "../core/people.fixture.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { sweepExpiredRows } from "../core/sweep-expired.ts";
import { accountKey, emailKey, phoneKey } from "./linked-accounts.ts";
import { restrictPerson } from "./restrict-person.ts";
import { dayAhead, restrictionInput, restrictionsShownTo, signInAs } from "./restrictions.fixture.ts";
import { identifierHashesTable, restrictionsTable } from "./schema.ts";

useDatabase();

const clock = useStillClock();
const hour = 3_600_000;

const ahead = (days: number) => dayAhead(clock.at, days);
const input = (parts: Partial<RestrictInput> = {}) => restrictionInput(clock.at, parts);

describe("hashes of restricted people", () => {
  test("are the same for one phone number, account and mailbox, however they are written", () => {
    expect(phoneKey("9911 2233")).toBe(phoneKey("+976 99112233"));
    expect(accountKey("Хаан банк 5001 002 003")).toBe(accountKey("5001002003"));
    expect(accountKey("MN120005000005001002003")).toBe(accountKey("5001002003"));
    expect(emailKey("Bat+2@Example.mn")).toBe("bat@example.mn");
    expect([phoneKey(null), accountKey("Хаан"), emailKey(null)]).toEqual([undefined, undefined, undefined]);
  });

  test("link a later account for administrators, block nobody, and store no number in plain text", async () => {
    const [admin, person, later] = [await anAdmin(), await someone(), await someone()];
    const unregister = registerIdentityGuard({
      bankAccountsOf: async (_exec, id) => (id === person.id ? ["5009 998 887"] : []),
    });
    try {
      await updateProfile(person.actor, { phoneNumber: "99112233" });
      await restrictPerson(admin.actor, person.id, input());
    } finally {
      unregister();
    }
    const rows = await db()
      .select()
      .from(identifierHashesTable)
      .where(eq(identifierHashesTable.userId, person.id));
    expect(rows.map(({ kind }) => kind).sort()).toEqual(["bank", "email", "phone"]);
    expect(JSON.stringify(rows)).not.toContain("99112233");
    expect((await restrictionsShownTo(admin, later.id)).same).toEqual([]);
    const profile = { phoneNumber: "+976 9911-2233", bankAccount: "Голомт 5009998887" };
    expect(await updateProfile(later.actor, profile)).toMatchObject({ ok: true });
    expect((await restrictionsShownTo(admin, later.id)).same).toEqual([
      { userId: person.id, username: person.username, kinds: ["bank", "phone"] },
    ]);
    expect(await signInAs(later)).toMatchObject({ ok: true });
  });

  test("outlive the account, and are erased two years after the restriction ended", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input({ kind: "limit" }));
    expect(await deleteUserAsAdmin(admin.actor, person.id)).toEqual({ ok: true });
    const kept = () => db().$count(identifierHashesTable, eq(identifierHashesTable.userId, person.id));
    const [row] = await db().select().from(restrictionsTable).where(eq(restrictionsTable.userId, person.id));
    expect(row).toMatchObject({ note: null, endedHow: "deleted" });
    await sweepExpiredRows(clock.at);
    expect(await kept()).toBe(1);
    await sweepExpiredRows(new Date(clock.at.getTime() + (2 * 366 + 8) * 24 * hour));
    expect(await kept()).toBe(0);
  });

  test("follow the person's changes while restricted, and the deleted account", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const given: string[] = [];
    const unregister = registerIdentityGuard({
      bankAccountsOf: async (_exec, id) => (id === person.id ? given : []),
      forgetUser: async () => void given.splice(0),
    });
    try {
      await updateProfile(person.actor, { phoneNumber: "99110001", bankAccount: "5000000001" });
      await restrictPerson(admin.actor, person.id, input({ kind: "limit" }));
      await updateProfile(person.actor, { phoneNumber: "99110002" });
      await updateProfile(person.actor, { bankAccount: "5000000002" });
      await editUser(admin.actor, person.id, { phoneNumber: "99110003", bankAccount: "5000000003" });
      await updateProfile(person.actor, { phoneNumber: "", bankAccount: "" });
      // State that an older version, without this feature, would leave.
      given.push("5000000004");
      expect(await deleteUserAsAdmin(admin.actor, person.id)).toEqual({ ok: true });
    } finally {
      unregister();
    }
    const linked = async (profile: { phoneNumber?: string; bankAccount?: string }) => {
      const later = await someone();
      await updateProfile(later.actor, profile);
      return (await restrictionsShownTo(admin, later.id)).same.map(({ userId }) => userId);
    };
    for (const n of [1, 2, 3]) {
      expect([n, await linked({ phoneNumber: `9911000${n}` })]).toEqual([n, [person.id]]);
      expect([n, await linked({ bankAccount: `500000000${n}` })]).toEqual([n, [person.id]]);
    }
    expect(await linked({ bankAccount: "5000000004" })).toEqual([person.id]);
  });

  test("are stored for nobody else, whatever they change, nor after a restriction ended", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await updateProfile(person.actor, { phoneNumber: "99220001" });
    expect(await db().$count(identifierHashesTable, eq(identifierHashesTable.userId, person.id))).toBe(0);
    await restrictPerson(admin.actor, person.id, input({ kind: "limit", until: ahead(1) }));
    const kept = await db().$count(identifierHashesTable, eq(identifierHashesTable.userId, person.id));
    clock.at = new Date(clock.at.getTime() + 48 * hour);
    await updateProfile(person.actor, { phoneNumber: "99220002" });
    expect(await db().$count(identifierHashesTable, eq(identifierHashesTable.userId, person.id))).toBe(kept);
  });
});
