import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { Elysia } from "elysia";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { someone } from "./people.fixture.ts";
import { sessionsTable } from "./schema.ts";
import { actorOf, withActor } from "./with-actor.ts";

useDatabase();
let restore = () => {};
afterEach(() => restore());

const bearing = (token: string) =>
  new Request("http://localhost/me", {
    headers: { cookie: `midman-session=${token}`, "user-agent": "a phone" },
  });

describe("the actor of a request", () => {
  test("is the member whose session the cookie has", async () => {
    const person = await someone();
    const actor = await actorOf(bearing(person.token), "192.0.2.5");
    expect(actor).toMatchObject({
      kind: "user",
      userId: person.id,
      username: person.username,
      email: person.email,
      avatarInitials: "BB",
      isAdmin: false,
      mustChangePassword: false,
      ip: "192.0.2.5",
      device: "a phone",
      language: "en",
    });
  });

  test("is a visitor without a token, or with another's digest or an ended one", async () => {
    const person = await someone();
    expect((await actorOf(new Request("http://localhost/"))).kind).toBe("visitor");
    expect((await actorOf(bearing("A".repeat(43)))).kind).toBe("visitor");
    await db().delete(sessionsTable).where(eq(sessionsTable.id, person.actor.sessionId));
    expect((await actorOf(bearing(person.token))).kind).toBe("visitor");
  });

  test("is nobody if the page belongs to another person", async () => {
    const person = await someone();
    const from = (page: string) => {
      const request = bearing(person.token);
      request.headers.set("x-midman-user", page);
      return actorOf(request);
    };
    expect(await from(String(person.id))).toMatchObject({ kind: "user", userId: person.id });
    for (const page of [String(person.id + 1), `0${person.id}`, "", "nobody"]) {
      expect(await from(page)).toMatchObject({ kind: "visitor", isOther: true });
    }
  });

  test("is read once per request", async () => {
    const person = await someone();
    const request = bearing(person.token);
    const [first, second] = await Promise.all([actorOf(request), actorOf(request)]);
    await db().delete(sessionsTable).where(eq(sessionsTable.id, person.actor.sessionId));
    expect(second).toBe(first);
    expect(await actorOf(request)).toBe(first);
    expect((await actorOf(bearing(person.token))).kind).toBe("visitor");
  });

  test("depends on the clock", async () => {
    const person = await someone();
    restore = setClock(() => new Date(Date.now() + 31 * 86_400_000));
    expect((await actorOf(bearing(person.token))).kind).toBe("visitor");
  });

  test("is passed to the handlers of each plugin that needs it", async () => {
    const person = await someone();
    const one = new Elysia({ name: "one" }).use(withActor).get("/me", ({ actor }) => actor.kind);
    const two = new Elysia({ name: "two" }).use(withActor).get("/you", ({ actor }) => actor.kind);
    const app = new Elysia().use(one).use(two);
    expect(await (await app.handle(bearing(person.token))).text()).toBe("user");
    expect(await (await app.handle(new Request("http://localhost/you"))).text()).toBe("visitor");
  });
});
