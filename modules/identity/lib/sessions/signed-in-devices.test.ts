import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { someone, visitor } from "../core/people.fixture.ts";
import { sessionsTable } from "../core/schema.ts";
import { signInWithPassword } from "../login/login.ts";
import { memberOf } from "./sessions.ts";
import { revokeOtherSessions, revokeSession, sessionsOf } from "./signed-in-devices.ts";

useDatabase();

describe("signed-in devices", () => {
  test("are listed to their owner, without ended ones", async () => {
    const person = await someone();
    const phone = visitor({ device: "a phone", ip: "192.0.2.8" });
    await signInWithPassword(phone, person);
    const dead = await signInWithPassword(visitor(), person);
    expect(dead.ok).toBe(true);
    const [newest] = await db()
      .select()
      .from(sessionsTable)
      .where(eq(sessionsTable.device, "a test"))
      .limit(1);
    const listed = await sessionsOf(person.actor);
    if (!listed.ok) throw new Error(listed.code);
    expect(listed.sessions).toHaveLength(3);
    expect(listed.sessions.find((one) => one.current)?.sessionId).toBe(person.actor.sessionId);
    expect(listed.sessions.find((one) => one.device === "a phone")?.ip).toBe("192.0.2.8");
    expect(newest).toBeDefined();
    await db()
      .update(sessionsTable)
      .set({ lastSeenAt: new Date(Date.now() - 8 * 86_400_000) })
      .where(eq(sessionsTable.device, "a phone"));
    const later = await sessionsOf(person.actor);
    expect(later.ok && later.sessions).toHaveLength(2);
    expect(await sessionsOf(visitor())).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });

  test("can be signed out only after confirming within ten minutes", async () => {
    const person = await someone();
    await signInWithPassword(visitor(), person);
    const stale = { ...person.actor, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    const refused = { ok: false, code: "REAUTH_REQUIRED" } as const;
    expect(await revokeSession(stale, person.actor.sessionId)).toEqual(refused);
    expect(await revokeOtherSessions(stale)).toEqual(refused);
    expect((await sessionsOf(stale)).ok).toBe(true);
    expect(await memberOf(person.token, new Date())).toBeDefined();
  });

  test("can be signed out only by their owner", async () => {
    const [person, stranger] = [await someone(), await someone()];
    const { sessionId } = person.actor;
    const missing = { ok: false, code: "SESSION_NOT_FOUND" } as const;
    expect(await revokeSession(stranger.actor, sessionId)).toEqual(missing);
    expect(await memberOf(person.token, new Date())).toBeDefined();
    expect(await revokeSession(person.actor, sessionId)).toEqual({ ok: true });
    expect(await memberOf(person.token, new Date())).toBeUndefined();
    expect(await revokeSession(person.actor, sessionId)).toEqual(missing);
  });
});

describe("all other devices", () => {
  test("are signed out at once; the current one and other people's stay", async () => {
    const [person, other] = [await someone(), await someone()];
    const elsewhere = [
      await signInWithPassword(visitor(), person),
      await signInWithPassword(visitor(), person),
    ];
    const tokens = elsewhere.map((done) => (done.ok ? done.session.token : ""));
    expect(await revokeOtherSessions(person.actor)).toEqual({ ok: true, ended: 2 });
    for (const token of tokens) expect(await memberOf(token, new Date())).toBeUndefined();
    for (const token of [person.token, other.token]) {
      expect(await memberOf(token, new Date())).toBeDefined();
    }
    expect(await revokeOtherSessions(person.actor)).toEqual({ ok: true, ended: 0 });
    expect(await revokeOtherSessions(visitor())).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });

  test("have everyday names", async () => {
    const agent = "Mozilla/5.0 (Linux; Android 10; K) Chrome/131.0.0.0 Mobile Safari/537.36";
    const person = await someone({}, visitor({ device: agent }));
    const listed = await sessionsOf(person.actor);
    if (!listed.ok) throw new Error(listed.code);
    expect(listed.sessions).toMatchObject([
      { browser: "Chrome", system: "Android", device: agent, current: true },
    ]);
  });
});
