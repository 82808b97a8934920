import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { peopleFilter, type RestrictInput } from "../../forms.ts";
import { deleteUserAsAdmin } from "../administrators/delete-user-as-admin.ts";
import { searchPeople } from "../administrators/search-people.ts";
import { setAdmin } from "../administrators/set-admin.ts";
import { actorBy, anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { usersTable } from "../core/schema.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { changePassword, confirmPassword } from "../password/change-password.ts";
import { findLiveSessions, isSessionLive, memberOf } from "../sessions/sessions.ts";
import { confirmRestriction } from "./confirm-restriction.ts";
import { liftRestriction } from "./lift-restriction.ts";
import { restrictPerson } from "./restrict-person.ts";
import { limitedRefusal, ownLimitation } from "./restriction-in-force.ts";
import { proposedRestrictions } from "./restriction-views.ts";
import { dayAhead, restrictionInput, restrictionsShownTo, signInAs } from "./restrictions.fixture.ts";
import { identifierHashesTable, restrictionsTable } from "./schema.ts";

useDatabase();

const clock = useStillClock();
const hour = 3_600_000;

const ahead = (days: number) => dayAhead(clock.at, days);
const input = (parts: Partial<RestrictInput> = {}) => restrictionInput(clock.at, parts);
const logged = async (id: number) =>
  (
    await db().execute<{ action: string }>(sql`
      SELECT action FROM audit.entries WHERE subject_kind = 'user' AND subject_id = ${String(id)} AND action LIKE 'user_%' ORDER BY id`)
  ).map(({ action }) => action);
const mailed = async (id: number) =>
  db().execute<{ data: Record<string, string> }>(sql`
    SELECT data FROM mailer.messages WHERE user_id = ${id} AND template = 'accountRestricted' ORDER BY id`);

describe("a suspended person", () => {
  test("is signed out everywhere, cannot sign in, and sees why and until when after the right password", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const other = await signInAs(person);
    if (!other.ok) throw new Error(other.code);
    expect(await restrictPerson(admin.actor, person.id, input())).toEqual({ ok: true, changed: true });
    for (const token of [person.token, other.session.token]) {
      expect(await memberOf(token, clock.at)).toBeUndefined();
    }
    expect(await signInAs(person)).toEqual({
      ok: false,
      code: "ACCOUNT_SUSPENDED",
      textKey: "identity.suspended.until.fraud",
      params: { until: ahead(7) },
    });
    expect(await signInAs({ ...person, password: "another password" })).toEqual({
      ok: false,
      code: "INVALID_CREDENTIALS",
    });
    expect(await logged(person.id)).toEqual(["user_suspended"]);
    const [mail] = await mailed(person.id);
    expect(mail?.data).toMatchObject({ event: "suspend", cause: "fraud" });
    expect(JSON.stringify(mail?.data)).not.toContain("two reports");
  });

  test("can sign in again after the end, without a job or an action", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input({ until: ahead(1) }));
    clock.at = new Date(clock.at.getTime() + 24 * hour);
    expect(await signInAs(person)).toMatchObject({ ok: false, code: "ACCOUNT_SUSPENDED" });
    clock.at = new Date(clock.at.getTime() + 24 * hour);
    expect(await signInAs(person)).toMatchObject({ ok: true });
    expect((await restrictionsShownTo(admin, person.id)).restrictions).toMatchObject([
      { inForce: false, ended: null },
    ]);
  });

  test("has no valid session, whoever opened it at the same moment", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const { sessionId } = person.actor;
    // State that an older version, without suspensions, would leave.
    const until = new Date(clock.at.getTime() + hour);
    await db()
      .update(usersTable)
      .set({ restriction: "suspend", restrictedUntil: until })
      .where(eq(usersTable.id, person.id));
    expect(await memberOf(person.token, clock.at)).toBeUndefined();
    expect(await isSessionLive(sessionId, clock.at)).toBe(false);
    expect(await findLiveSessions([sessionId, admin.actor.sessionId], clock.at)).toEqual(
      new Set([admin.actor.sessionId]),
    );
  });

  test("opens no session with a password reset requested before", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input());
    const { password } = person;
    const changed = { currentPassword: password, newPassword: "a different one" };
    expect(await confirmPassword(person.actor, { password })).toMatchObject({ ok: false });
    expect(await changePassword(person.actor, changed)).toMatchObject({ ok: false });
  });
});

test("a limited person keeps their sessions and cannot start anything", async () => {
  const [admin, person] = [await anAdmin(), await someone()];
  await restrictPerson(admin.actor, person.id, input({ kind: "limit" }));
  expect(await memberOf(person.token, clock.at)).toBeDefined();
  expect(await limitedRefusal(db(), person.id, clock.at)).toEqual({
    ok: false,
    code: "ACCOUNT_LIMITED",
    textKey: "errors.ACCOUNT_LIMITED",
    params: { until: ahead(7) },
  });
  expect(await limitedRefusal(db(), admin.id, clock.at)).toBeUndefined();
  expect(await logged(person.id)).toEqual(["user_limited"]);
});

test("the session's row alone says that its person is limited, until when, and that it has ended", async () => {
  const [admin, person] = [await anAdmin(), await someone()];
  expect(ownLimitation(await actorBy(person.token))).toBeUndefined();
  await restrictPerson(admin.actor, person.id, input({ kind: "limit", until: ahead(0) }));
  expect(ownLimitation(await actorBy(person.token))).toEqual({
    ok: false,
    code: "ACCOUNT_LIMITED",
    textKey: "errors.ACCOUNT_LIMITED",
    params: { until: ahead(0) },
  });
  expect(ownLimitation(visitor())).toBeUndefined();
  const later = new Date(clock.at.getTime() + 24 * hour);
  expect((await memberOf(person.token, later))?.restriction).toBeNull();
});

describe("a person restricted by an administrator", () => {
  test("is another existing person who is not an administrator, for up to a year, with a fresh login", async () => {
    const [admin, second, person] = [await anAdmin(), await anAdmin(), await someone()];
    const by = (id: number, parts: Partial<RestrictInput> = {}) =>
      restrictPerson(admin.actor, id, input(parts));
    expect(await by(admin.id)).toEqual({ ok: false, code: "OWN_ACCOUNT" });
    expect(await by(second.id)).toEqual({ ok: false, code: "ADMIN_ACCOUNT" });
    expect(await by(999_999)).toEqual({ ok: false, code: "USER_NOT_FOUND" });
    expect(await by(person.id, { until: ahead(-1) })).toMatchObject({ ok: false, code: "VALIDATION" });
    expect(await by(person.id, { until: ahead(400) })).toMatchObject({ ok: false, code: "VALIDATION" });
    expect(await restrictPerson(person.actor, second.id, input())).toEqual({
      ok: false,
      code: "ADMIN_REQUIRED",
    });
    clock.at = new Date(clock.at.getTime() + 11 * 60_000);
    expect(await by(person.id)).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
    expect(await db().$count(restrictionsTable, eq(restrictionsTable.userId, person.id))).toBe(0);
  });

  test("cannot become an administrator meanwhile, and can afterwards", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input({ until: ahead(0) }));
    expect(await setAdmin(admin.actor, person.id, true)).toEqual({ ok: false, code: "ACCOUNT_RESTRICTED" });
    clock.at = new Date(clock.at.getTime() + 24 * hour);
    const fresh = { ...admin.actor, authenticatedAt: clock.at };
    expect(await setAdmin(fresh, person.id, true)).toEqual({ ok: true });
  });

  test("has one restriction at a time: repeating it changes nothing, another replaces it", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const many = await Promise.all(
      Array.from({ length: 5 }, () => restrictPerson(admin.actor, person.id, input())),
    );
    expect(many.filter((one) => one.ok && one.changed)).toHaveLength(1);
    await restrictPerson(admin.actor, person.id, input({ kind: "limit", until: ahead(30) }));
    expect((await restrictionsShownTo(admin, person.id)).restrictions).toMatchObject([
      { kind: "limit", inForce: true, ended: null },
      { kind: "suspend", inForce: false, ended: { how: "replaced" } },
    ]);
    expect(await signInAs(person)).toMatchObject({ ok: true });
  });

  test("can be restricted again after an earlier one ended, whose end stays as it was", async () => {
    const [admin, second, person] = [await anAdmin(), await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input({ kind: "limit", until: ahead(1) }));
    const [before] = await db()
      .select()
      .from(restrictionsTable)
      .where(eq(restrictionsTable.userId, person.id));
    clock.at = new Date(clock.at.getTime() + 40 * 24 * hour);
    const by = { ...second.actor, authenticatedAt: clock.at };
    const again = input({ kind: "limit", until: ahead(7) });
    expect(await restrictPerson(by, person.id, again)).toEqual({ ok: true, changed: true });
    const rows = () =>
      db()
        .select()
        .from(restrictionsTable)
        .where(eq(restrictionsTable.userId, person.id))
        .orderBy(restrictionsTable.id);
    expect((await rows())[0]).toEqual(before as never);
    expect((await restrictionsShownTo(admin, person.id)).restrictions).toMatchObject([
      { inForce: true, ended: null },
      { inForce: false, ended: null },
    ]);
    const [{ data } = { data: {} }] = await db().execute<{ data: object }>(sql`
      SELECT data FROM audit.entries WHERE subject_id = ${String(person.id)} AND action = 'user_limited' ORDER BY id DESC`);
    expect(data).not.toHaveProperty("replaced");
    clock.at = new Date(clock.at.getTime() + 40 * 24 * hour);
    expect(await deleteUserAsAdmin({ ...by, authenticatedAt: clock.at }, person.id)).toEqual({ ok: true });
    expect(await rows()).toMatchObject([
      { note: null, endedAt: null, endedHow: null },
      { note: null, endedAt: null, endedHow: null },
    ]);
  });

  test("has one restriction at a time, enforced by the database", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input());
    const second = db().execute(sql`
      INSERT INTO identity.restrictions (user_id, kind, cause, placed_by, placed_at, until, for_good)
      SELECT user_id, kind, cause, placed_by, placed_at + interval '1 hour', until, false FROM identity.restrictions
      WHERE user_id = ${person.id}`);
    expect(
      await second.then(
        () => "written",
        (error) => error.cause.constraint_name,
      ),
    ).toBe("restrictions_one");
  });

  test("is released once it is lifted, which needs a reason and is announced", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input());
    const lift = () => liftRestriction(admin.actor, person.id, { note: "the report was wrong" });
    expect(await lift()).toEqual({ ok: true, changed: true });
    expect(await lift()).toEqual({ ok: true, changed: false });
    expect(await signInAs(person)).toMatchObject({ ok: true });
    expect(await logged(person.id)).toEqual(["user_suspended", "user_restriction_lifted"]);
    expect((await mailed(person.id)).map(({ data }) => data.event)).toEqual(["suspend", "lifted"]);
    expect(await db().$count(identifierHashesTable, eq(identifierHashesTable.userId, person.id))).toBe(0);
  });

  test("is found in the list, while it is in force", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input());
    const found = async () => {
      const page = await searchPeople(admin.actor, peopleFilter.parse({ show: "restricted" }));
      return page.ok ? page.users.filter(({ id }) => id === person.id) : [];
    };
    expect(await found()).toMatchObject([{ restriction: { kind: "suspend" } }]);
    clock.at = new Date(clock.at.getTime() + 9 * 24 * hour);
    expect(await found()).toEqual([]);
  });
});

describe("a permanent restriction", () => {
  test("needs a second administrator, who is not related to the first", async () => {
    const [one, second, person] = [await anAdmin(), await anAdmin(), await someone()];
    const [made] = [await someone()];
    await setAdmin(one.actor, made.id, true);
    await restrictPerson(one.actor, person.id, input({ forGood: true }));
    const [{ id: restriction } = { id: 0 }] = (await restrictionsShownTo(one, person.id)).restrictions;
    expect((await proposedRestrictions(10)).map(({ userId }) => userId)).toEqual([person.id]);
    const by = (actor: typeof one.actor) => confirmRestriction(actor, person.id, { restriction });
    expect(await by(one.actor)).toEqual({ ok: false, code: "FOUR_EYES_REQUIRED" });
    expect(await by({ ...made.actor, isAdmin: true })).toEqual({ ok: false, code: "FOUR_EYES_RELATED" });
    expect(await by(person.actor)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    expect((await restrictionsShownTo(second, person.id)).restrictions).toMatchObject([
      { proposed: { obstacle: null } },
    ]);
    expect(await confirmRestriction(second.actor, person.id, { restriction: restriction + 1 })).toEqual({
      ok: false,
      code: "PROPOSAL_CHANGED",
    });
    expect(await by(second.actor)).toEqual({ ok: true, changed: true });
    expect(await by(second.actor)).toEqual({ ok: true, changed: false });
    expect(await proposedRestrictions(10)).toEqual([]);
    clock.at = new Date(clock.at.getTime() + 3 * 366 * 24 * hour);
    expect(await signInAs(person)).toMatchObject({ textKey: "identity.suspended.forGood.fraud", params: {} });
  });

  test("lasts no longer than one person decided, and its proposal ends with its author's right", async () => {
    const [one, second, person] = [await anAdmin(), await anAdmin(), await someone()];
    await restrictPerson(one.actor, person.id, input({ forGood: true, until: ahead(1) }));
    const [{ id: restriction } = { id: 0 }] = (await restrictionsShownTo(one, person.id)).restrictions;
    await setAdmin(second.actor, one.id, false);
    const confirm = () =>
      confirmRestriction({ ...second.actor, authenticatedAt: clock.at }, person.id, { restriction });
    expect(await confirm()).toEqual({ ok: false, code: "PROPOSER_NOT_ADMIN" });
    clock.at = new Date(clock.at.getTime() + 48 * hour);
    expect(await confirm()).toEqual({ ok: false, code: "RESTRICTION_NOT_PROPOSED" });
    expect(await signInAs(person)).toMatchObject({ ok: true });
  });

  test("cannot be written by one person, enforced by the database", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    await restrictPerson(admin.actor, person.id, input({ forGood: true }));
    const alone = db()
      .update(restrictionsTable)
      .set({ confirmedBy: admin.id, confirmedAt: clock.at })
      .where(eq(restrictionsTable.userId, person.id));
    expect(
      await alone.then(
        () => "written",
        (error) => error.cause.constraint_name,
      ),
    ).toBe("restrictions_two_people");
  });
});

test("a suspension and a sign-in at the same moment leave no session", async () => {
  const admin = await anAdmin();
  for (let round = 0; round < 5; round++) {
    const person = await someone();
    const [done] = await Promise.all([signInAs(person), restrictPerson(admin.actor, person.id, input())]);
    if (done.ok) await expect(actorBy(done.session.token)).rejects.toThrow("the token is dead");
    await expect(actorBy(person.token)).rejects.toThrow("the token is dead");
  }
});
