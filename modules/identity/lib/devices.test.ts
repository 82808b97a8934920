import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { revokeSession, sessionsOf } from "./devices.ts";
import { login } from "./login.ts";
import { sessions } from "./schema.ts";
import { memberOf } from "./sessions.ts";
import { someone, visitor } from "./test-people.ts";

useDatabase();

describe("signed-in devices", () => {
  test("are listed to their owner, dead ones left out", async () => {
    const person = await someone();
    const phone = visitor({ device: "a phone", ip: "192.0.2.8" });
    await login(phone, person);
    const dead = await login(visitor(), person);
    expect(dead.ok).toBe(true);
    const [newest] = await db().select().from(sessions).where(eq(sessions.device, "a test")).limit(1);
    const listed = await sessionsOf(person.actor);
    if (!listed.ok) throw new Error(listed.code);
    expect(listed.sessions).toHaveLength(3);
    expect(listed.sessions.find((one) => one.current)?.sessionId).toBe(person.actor.sessionId);
    expect(listed.sessions.find((one) => one.device === "a phone")?.ip).toBe("192.0.2.8");
    expect(newest).toBeDefined();
    await db()
      .update(sessions)
      .set({ lastSeenAt: new Date(Date.now() - 8 * 86_400_000) })
      .where(eq(sessions.device, "a phone"));
    const later = await sessionsOf(person.actor);
    expect(later.ok && later.sessions).toHaveLength(2);
    expect(await sessionsOf(visitor())).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });

  test("can be signed out by their owner alone", async () => {
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
