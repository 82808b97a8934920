import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { sessionsTable } from "../core/schema.ts";
import { sweepExpiredRows } from "../core/sweep-expired.ts";
import { hashToken } from "../request/tokens.ts";
import { signOut } from "./logout.ts";
import { endSessionsOf, findLiveSessions, isSessionLive, memberOf, openSession } from "./sessions.ts";

useDatabase();

const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
const rowOf = async (id: number) =>
  (await db().select().from(sessionsTable).where(eq(sessionsTable.id, id)))[0];

describe("a session", () => {
  test("is a token of 256 random bits, stored only as its digest", async () => {
    const person = await someone();
    expect(Buffer.from(person.token, "base64url")).toHaveLength(32);
    const row = await rowOf(person.actor.sessionId);
    expect(row).toMatchObject({ tokenHash: hashToken(person.token), userId: person.id, device: "a test" });
    expect(JSON.stringify(row)).not.toContain(person.token);
  });

  test("ends immediately at logout; a second logout does nothing", async () => {
    const person = await someone();
    expect(await signOut(person.actor)).toEqual({ ok: true });
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    expect(await isSessionLive(person.actor.sessionId, new Date())).toBe(false);
    expect(await signOut(person.actor)).toEqual({ ok: true });
    expect(await signOut(visitor())).toEqual({ ok: true });
  });

  test("is read with many others in one query, which does not count as use", async () => {
    const [live, idle, ended] = await Promise.all([someone(), someone(), someone()]);
    await signOut(ended.actor);
    const ids = [live, idle, ended].map(({ actor }) => actor.sessionId);
    expect(await findLiveSessions(ids, hours(6 * 24))).toEqual(new Set(ids.slice(0, 2)));
    expect(await findLiveSessions(ids, hours(8 * 24))).toEqual(new Set());
    expect(await findLiveSessions([], new Date())).toEqual(new Set());
  });

  test("of a user ends with all the others", async () => {
    const person = await someone();
    const user = { id: person.id, isAdmin: false };
    const others = await runInTransaction(async (tx) => [
      await openSession(tx, user, visitor(), new Date()),
      await openSession(tx, user, visitor(), new Date()),
    ]);
    expect(await runInTransaction((tx) => endSessionsOf(tx, person.id))).toBe(3);
    for (const { token } of [...others, person]) expect(await memberOf(token, new Date())).toBeUndefined();
  });

  test("ends after thirty days, even if used", async () => {
    const person = await someone();
    for (let day = 1; day < 30; day++) {
      expect(await memberOf(person.token, hours(day * 24))).toBeDefined();
    }
    expect(await memberOf(person.token, hours(30 * 24 + 1))).toBeUndefined();
  });

  test("ends after seven days unused", async () => {
    const person = await someone();
    expect(await memberOf(person.token, hours(7 * 24 - 1))).toBeDefined();
    expect(await memberOf(person.token, hours(14 * 24))).toBeUndefined();
  });

  test("of an administrator ends after two hours unused", async () => {
    const admin = await anAdmin();
    expect(await memberOf(admin.token, hours(1.9))).toBeDefined();
    expect(await memberOf(admin.token, hours(4))).toBeUndefined();
  });

  test("records its last use at most once a minute", async () => {
    const person = await someone();
    const id = person.actor.sessionId;
    const first = (await rowOf(id))?.lastSeenAt ?? new Date(0);
    const after = (seconds: number) => new Date(first.getTime() + seconds * 1000);
    await memberOf(person.token, after(59));
    expect((await rowOf(id))?.lastSeenAt).toEqual(first);
    await memberOf(person.token, after(61));
    expect((await rowOf(id))?.lastSeenAt).toEqual(after(61));
    await memberOf(person.token, after(30));
    expect((await rowOf(id))?.lastSeenAt).toEqual(after(61));
  });

  test("that has expired is deleted, a valid one is not", async () => {
    const [dead, unused, live] = [await someone(), await someone(), await someone()];
    const set = (id: number, values: Partial<typeof sessionsTable.$inferInsert>) =>
      db().update(sessionsTable).set(values).where(eq(sessionsTable.id, id));
    await set(dead.actor.sessionId, { expiresAt: hours(-1) });
    await set(unused.actor.sessionId, { lastSeenAt: hours(-8 * 24) });
    await sweepExpiredRows(new Date());
    expect(await rowOf(dead.actor.sessionId)).toBeUndefined();
    expect(await rowOf(unused.actor.sessionId)).toBeUndefined();
    expect(await rowOf(live.actor.sessionId)).toBeDefined();
  });
});
