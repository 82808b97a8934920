import { afterEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { config, overrideConfig } from "#config";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { finishLoginInput } from "../../forms.ts";
import { actorBy, anAdmin, someone, visitor } from "../core/people.fixture.ts";
import {
  loginTicketsTable,
  recoveryCodesTable,
  secondFactorsTable,
  sessionsTable,
  usersTable,
} from "../core/schema.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { sweepExpiredRows } from "../core/sweep-expired.ts";
import { signInWithPassword } from "../login/login.ts";
import { memberOf } from "../sessions/sessions.ts";
import { codeOf, withFactor } from "./factor.fixture.ts";
import { removeSecondFactor, renewRecoveryCodes, secondFactorOf } from "./manage-second-factor.ts";
import { beginSecondFactor, confirmSecondFactor, pendingSecondFactor } from "./set-up-second-factor.ts";

useDatabase();

const clock = useStillClock();

const audited = async (userId: number) =>
  (
    await db().execute<{ action: string }>(sql`
      SELECT action FROM audit.entries WHERE subject_kind = 'user' AND subject_id = ${String(userId)} ORDER BY id`)
  ).map(({ action }) => action);

const mailed = async (userId: number) =>
  (
    await db().execute<{ event: string }>(sql`
      SELECT data ->> 'event' AS event FROM mailer.messages
      WHERE user_id = ${userId} AND template = 'securityNotice' ORDER BY id`)
  ).map(({ event }) => event);

describe("turning a second factor on", () => {
  test("shows a secret, waits for its first code, and returns ten recovery codes once", async () => {
    const { actor, id, username } = await someone();
    expect(await secondFactorOf(actor)).toEqual({
      ...{ ok: true, on: false, since: null, recoveryCodesLeft: 0, pending: false },
    });
    const begun = await beginSecondFactor(actor);
    if (!begun.ok) throw new Error(begun.code);
    expect(begun.uri).toContain(username);
    expect(await pendingSecondFactor(actor)).toEqual(begun);
    expect(await secondFactorOf(actor)).toMatchObject({ on: false, pending: true });
    const on = await confirmSecondFactor(actor, { code: codeOf(begun.secret, clock.at) });
    if (!on.ok) throw new Error(on.code);
    expect(new Set(on.recoveryCodes).size).toBe(10);
    for (const code of on.recoveryCodes) {
      expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/);
      expect(finishLoginInput.parse({ code: ` ${code.toLowerCase()} ` }).code).toBe(code.replaceAll("-", ""));
    }
    expect(await secondFactorOf(actor)).toEqual({
      ...{ ok: true, on: true, since: clock.at, recoveryCodesLeft: 10, pending: false },
    });
    expect(await audited(id)).toEqual(expect.arrayContaining(["second_factor_begun", "second_factor_on"]));
    expect(await mailed(id)).toEqual(["second_factor_on"]);
    expect(await pendingSecondFactor(actor)).toEqual({ ok: false, code: "SECOND_FACTOR_NOT_BEGUN" });
    expect(await beginSecondFactor(actor)).toEqual({ ok: false, code: "SECOND_FACTOR_ON" });
  });

  test("signs the other devices out, so an old session cannot remove it", async () => {
    const owner = await someone();
    const elsewhere = await signInWithPassword(visitor(), owner);
    if (!elsewhere.ok) throw new Error(elsewhere.code);
    await withFactor(clock.at, owner);
    expect(await memberOf(elsewhere.session.token, clock.at)).toBeUndefined();
    expect(await memberOf(owner.token, clock.at)).toBeDefined();
  });

  test("needs a fresh login, which a visitor does not have", async () => {
    const person = await someone();
    const longAgo = new Date(clock.at.getTime() - 11 * 60_000);
    await db()
      .update(sessionsTable)
      .set({ authenticatedAt: longAgo })
      .where(eq(sessionsTable.userId, person.id));
    const stale = await actorBy(person.token);
    const verbs = [beginSecondFactor, pendingSecondFactor, renewRecoveryCodes, removeSecondFactor] as const;
    for (const verb of verbs) {
      expect(await verb(stale)).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
      expect(await verb(visitor())).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    }
    expect(await confirmSecondFactor(stale, { code: "123456" })).toMatchObject({ code: "REAUTH_REQUIRED" });
    expect(await secondFactorOf(stale)).toMatchObject({ ok: true, on: false });
  });

  test("refuses a wrong code beside its field, and a code before it was started", async () => {
    const { actor } = await someone();
    const none = await confirmSecondFactor(actor, { code: "123456" });
    expect(none).toEqual({ ok: false, code: "SECOND_FACTOR_NOT_BEGUN" });
    const begun = await beginSecondFactor(actor);
    if (!begun.ok) throw new Error(begun.code);
    const old = codeOf(begun.secret, clock.at, -20);
    expect(await confirmSecondFactor(actor, { code: old })).toEqual({
      ...{ ok: false, code: "SECOND_FACTOR_WRONG", fields: { code: ["errors.SECOND_FACTOR_WRONG"] } },
    });
    expect(await secondFactorOf(actor)).toMatchObject({ on: false, pending: true });
  });

  test("again replaces the secret: the first one's code is not accepted", async () => {
    const { actor } = await someone();
    const [first, second] = [await beginSecondFactor(actor), await beginSecondFactor(actor)];
    if (!first.ok || !second.ok) throw new Error("refused");
    expect(await confirmSecondFactor(actor, { code: codeOf(first.secret, clock.at) })).toMatchObject({
      ok: false,
    });
    expect(await confirmSecondFactor(actor, { code: codeOf(second.secret, clock.at) })).toMatchObject({
      ok: true,
    });
  });

  test("confirmed twice at once returns codes once", async () => {
    const { actor, id } = await someone();
    const begun = await beginSecondFactor(actor);
    if (!begun.ok) throw new Error(begun.code);
    const code = codeOf(begun.secret, clock.at);
    const answers = await Promise.all([1, 2, 3].map(() => confirmSecondFactor(actor, { code })));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const kept = await db().select().from(recoveryCodesTable).where(eq(recoveryCodesTable.userId, id));
    expect(kept).toHaveLength(10);
  });

  test("limits wrong codes", async () => {
    const { actor } = await someone();
    await beginSecondFactor(actor);
    const answers = [];
    for (let n = 0; n < 7; n++) answers.push(await confirmSecondFactor(actor, { code: "000000" }));
    expect(answers.at(-1)).toMatchObject({ code: "THROTTLED", retryAfterSeconds: 150 });
  });

  test("is deleted a day later if its first code never came; an active one stays", async () => {
    const [idle, owner] = [await someone(), await withFactor(clock.at)];
    expect(await signInWithPassword(visitor(), owner)).toMatchObject({ code: "SECOND_FACTOR_REQUIRED" });
    await beginSecondFactor(idle.actor);
    await sweepExpiredRows(new Date(clock.at.getTime() + 25 * 3_600_000));
    expect(
      await db().select().from(secondFactorsTable).where(eq(secondFactorsTable.userId, idle.id)),
    ).toEqual([]);
    expect(
      await db().select().from(secondFactorsTable).where(eq(secondFactorsTable.userId, owner.id)),
    ).toHaveLength(1);
    expect(await db().select().from(loginTicketsTable).where(eq(loginTicketsTable.userId, owner.id))).toEqual(
      [],
    );
  });
});

describe("with real money", () => {
  const { ALLOW_SANDBOX, QPAY_BASE_URL } = config();
  afterEach(() => overrideConfig({ ALLOW_SANDBOX, QPAY_BASE_URL }));

  test("an administrator must set one up; a member need not, nor anyone in a trial", async () => {
    const [admin, member] = [await anAdmin(), await someone()];
    const must = async ({ token }: { token: string }) => (await actorBy(token)).mustSetUpFactor;
    expect([await must(admin), await must(member)]).toEqual([false, false]);
    for (const real of [
      { ALLOW_SANDBOX: false },
      { ALLOW_SANDBOX: true, QPAY_BASE_URL: "https://qpay.example" },
    ]) {
      overrideConfig(real);
      expect([await must(admin), await must(member)]).toEqual([true, false]);
    }
    await withFactor(clock.at, admin);
    expect(await must(admin)).toBe(false);
  });
});

describe("an active second factor", () => {
  test("gets new recovery codes, and the old ones are void", async () => {
    const person = await withFactor(clock.at);
    const renewed = await renewRecoveryCodes(person.actor);
    if (!renewed.ok) throw new Error(renewed.code);
    const shown = renewed.recoveryCodes.map((code) => code.replaceAll("-", ""));
    expect(shown.filter((code) => person.recovery.includes(code))).toEqual([]);
    expect(await secondFactorOf(person.actor)).toMatchObject({ recoveryCodesLeft: 10 });
    expect(await mailed(person.id)).toEqual(["second_factor_on", "recovery_codes_renewed"]);
    const off = await someone();
    expect(await renewRecoveryCodes(off.actor)).toEqual({ ok: false, code: "SECOND_FACTOR_OFF" });
  });

  test("is removed with its secret and its codes; removing it again does nothing", async () => {
    const person = await withFactor(clock.at);
    expect(await removeSecondFactor(person.actor)).toEqual({ ok: true });
    expect(await removeSecondFactor(person.actor)).toEqual({ ok: true });
    for (const table of [secondFactorsTable, recoveryCodesTable]) {
      expect(await db().select().from(table).where(eq(table.userId, person.id))).toEqual([]);
    }
    const [row] = await db().select().from(usersTable).where(eq(usersTable.id, person.id));
    expect(row?.secondFactorAt).toBeNull();
    expect((await audited(person.id)).filter((action) => action === "second_factor_off")).toHaveLength(1);
    expect(await mailed(person.id)).toEqual(["second_factor_on", "second_factor_off"]);
  });
});
