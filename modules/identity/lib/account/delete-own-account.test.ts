import { afterEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { registerIdentityGuard } from "../core/identity-guards.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { recoveryCodesTable, secondFactorsTable, usersTable } from "../core/schema.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { codeOf, withFactor } from "../second-factor/factor.fixture.ts";
import { secondFactorOf } from "../second-factor/manage-second-factor.ts";
import { memberOf } from "../sessions/sessions.ts";
import { deleteOwnAccount } from "./delete-own-account.ts";

useDatabase();
const clock = useStillClock();
let unguard = () => {};
afterEach(() => unguard());

const going = ({ password, username }: { password: string; username: string }) => ({
  password,
  confirmation: username,
});

async function isGone(userId: number): Promise<boolean> {
  const [row] = await db().select().from(usersTable).where(eq(usersTable.id, userId));
  return row?.deletedAt !== null;
}

describe("deleting one's own account", () => {
  test("needs the password and the username again; then nothing personal is left", async () => {
    const person = await someone();
    const { actor, id } = person;
    const mistyped = await deleteOwnAccount(actor, { ...going(person), confirmation: "somebody" });
    expect(mistyped).toEqual({
      ...{ ok: false, code: "CONFIRMATION_MISMATCH" },
      fields: { confirmation: ["errors.CONFIRMATION_MISMATCH"] },
    });
    const wrong = await deleteOwnAccount(actor, { ...going(person), password: "not the word" });
    expect(wrong).toMatchObject({ code: "PASSWORD_WRONG", fields: { password: ["errors.PASSWORD_WRONG"] } });
    expect(await isGone(id)).toBe(false);
    expect(await deleteOwnAccount(actor, going(person))).toEqual({ ok: true });
    expect(await isGone(id)).toBe(true);
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    const entries = await db().execute<{ action: string }>(sql`
      SELECT action FROM audit.entries WHERE subject_kind = 'user' AND subject_id = ${String(id)} ORDER BY id`);
    expect(entries.map(({ action }) => action).slice(-2)).toEqual(["account_delete_failed", "user_deleted"]);
  });

  test("twice at once happens once", async () => {
    const person = await someone();
    const answers = await Promise.all([1, 2, 3].map(() => deleteOwnAccount(person.actor, going(person))));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const rows = await db().execute(sql`
      SELECT 1 FROM audit.entries WHERE action = 'user_deleted' AND subject_id = ${String(person.id)}`);
    expect(rows).toHaveLength(1);
  });

  test("needs the code if the second factor is on, and removes the factor", async () => {
    const person = await withFactor(clock.at);
    expect(await deleteOwnAccount(person.actor, going(person))).toMatchObject({
      code: "SECOND_FACTOR_REQUIRED",
    });
    const wrong = await deleteOwnAccount(person.actor, { ...going(person), code: "A".repeat(16) });
    expect(wrong).toMatchObject({ code: "SECOND_FACTOR_WRONG" });
    const code = codeOf(person.secret, clock.at, 1);
    expect(await deleteOwnAccount(person.actor, { ...going(person), code })).toEqual({ ok: true });
    for (const table of [secondFactorsTable, recoveryCodesTable]) {
      expect(await db().select().from(table).where(eq(table.userId, person.id))).toEqual([]);
    }
  });

  test("is refused while a guard prevents it, and uses no code up", async () => {
    unguard = registerIdentityGuard({ mayDeleteUser: async () => ({ ok: false, code: "MONEY_HELD" }) });
    const person = await withFactor(clock.at);
    const input = { ...going(person), code: person.recovery[0] };
    expect(await deleteOwnAccount(person.actor, input)).toEqual({ ok: false, code: "MONEY_HELD" });
    expect(await secondFactorOf(person.actor)).toMatchObject({ recoveryCodesLeft: 10 });
    expect(await isGone(person.id)).toBe(false);
  });

  test("is refused to the last administrator; a visitor has nothing to delete", async () => {
    const admin = await anAdmin();
    expect(await deleteOwnAccount(admin.actor, going(admin))).toEqual({ ok: false, code: "LAST_ADMIN" });
    expect(await deleteOwnAccount(visitor(), going(admin))).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });
});
