import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { type Actor, sessionLifetimes, signInWithPassword } from "#modules/identity";
import { paths } from "../../app/paths.ts";
import routes from "../../app/routes.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { watchGenerator } from "../support/hostile/watched-generator.ts";
import { postForm } from "../support/pages/post-form.ts";
import {
  ageLogins,
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import { beginCodeLogin, codeOf, factorPath, turnFactorOn } from "../support/people/second-factor.ts";
import { type Client, createHttpClient } from "../support/server/http-client.ts";
import { type Server, startServers, testAdministrator } from "../support/server/midman-server.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { readMailedToken } from "../support/services/mailed-token.ts";
import { startRedis, type TestRedis } from "../support/services/redis.ts";
import { readSecuritySection } from "../support/sources/security-docs.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** V7: sessions, at two instances of one database. */

setDefaultTimeout(60_000);

let redis: TestRedis;
let servers: Server[];
let server: Server;
let other: Server;
let admin: Client;

beforeAll(async () => {
  redis = await startRedis();
  servers = await startServers(2, { redisUrl: redis.url });
  [server, other] = servers as [Server, Server];
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  for (const one of servers ?? []) await one.stop();
  await redis?.stop();
});

const cookieName = "midman-session";
const tokenOf = (who: Client) => new RegExp(`${cookieName}=([\\w-]+)`).exec(who.cookies())?.[1] ?? "";
const holding = (token: string, at = server) =>
  createHttpClient(at.url, { Cookie: `${cookieName}=${token}` });
const isSignedIn = async (who: Client) => (await who.get("/api/auth/session")).body.isAuthenticated;

/** Whether a token opens anything, at each of the two instances. */
const opens = (token: string) => Promise.all([server, other].map((at) => isSignedIn(holding(token, at))));

/** Another browser of somebody, at one of the instances. */
async function another(
  { username, password }: Pick<Person, "username" | "password">,
  at = server,
): Promise<Client> {
  const browser = at.client();
  expectStatus(await browser.post("/api/auth/login", { username, password }), 200);
  return browser;
}

const change = (token: string, what: string) =>
  db().execute(sql`
    UPDATE identity.sessions SET ${sql.raw(what)}
    WHERE token_hash = ${createHash("sha256").update(token).digest("hex")}`);

const rights = () => readSecuritySection("authentication", "Authentication");
const [hour, day] = [3_600_000, 86_400_000];

test("7.1.1 how long sessions live, used and unused, is documented with the reason", () => {
  const [person, desk] = [sessionLifetimes(false), sessionLifetimes(true)];
  for (const figure of [
    `${person.absolute / day} days`,
    `${person.idle / day} days`,
    `${desk.absolute / hour} hours`,
    `${desk.idle / hour} hours`,
  ]) {
    expect([figure, rights().includes(figure)]).toEqual([figure, true]);
  }
  expect(rights()).toContain("SP 800-63B");
});

test("7.1.2 the number of sessions per person is documented and true", async () => {
  expect(rights()).toMatch(/as many sessions as/);
  const person = await registerPerson(server);
  const browsers = await Promise.all([1, 2, 3].map(() => another(person)));
  expect(expectStatus(await person.get("/api/users/me/sessions"), 200).list).toHaveLength(4);
  for (const browser of [person, ...browsers]) expect(await isSignedIn(browser)).toBe(true);
});

test("7.2.1 a token is checked in the database each time, whatever else the request says", async () => {
  const person = await registerPerson(server);
  const token = tokenOf(person);
  expect(await opens(token)).toEqual([true, true]);
  const altered = `${token.slice(0, -1)}${token.endsWith("A") ? "E" : "A"}`;
  for (const wrong of [altered, token.toUpperCase(), "", "0".repeat(43), `${token}x`]) {
    expect([wrong, await isSignedIn(holding(wrong))]).toEqual([wrong, false]);
  }
  const said = createHttpClient(server.url, {
    "X-Midman-User": String(person.id),
    Cookie: "userId=1; isAdmin=true",
  });
  expect(await isSignedIn(said)).toBe(false);
  await db().execute(sql`DELETE FROM identity.sessions WHERE user_id = ${person.id}`);
  expect(await opens(token)).toEqual([false, false]);
});

test("7.2.2 each sign-in makes its own token, and no other kind of key works", async () => {
  const person = await registerPerson(server);
  const tokens = [person, await another(person), await another(person)].map(tokenOf);
  expect(new Set(tokens).size).toBe(3);
  const [token = ""] = tokens;
  const others: Array<Record<string, string>> = [
    { Authorization: `Bearer ${token}` },
    { Authorization: `Basic ${btoa(`${person.username}:${person.password}`)}` },
    { "X-Api-Key": token },
    { Cookie: `session=${token}; token=${token}` },
  ];
  for (const headers of others) {
    expect(await isSignedIn(createHttpClient(server.url, headers))).toBe(false);
  }
  const inAddress = await server.client().get(`/api/auth/session?${cookieName}=${token}&token=${token}`);
  expect(inAddress.body.isAuthenticated).toBe(false);
});

test("7.2.3 a token has 256 random bits, and only its digest is stored", async () => {
  const person = await registerPerson(server);
  const token = tokenOf(person);
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  const rows = await db().execute<{ row: string }>(sql`SELECT s::text AS row FROM identity.sessions s`);
  const all = rows.map(({ row }) => row).join("\n");
  expect(all).toContain(createHash("sha256").update(token).digest("hex"));
  for (const form of [token, Buffer.from(token, "base64url").toString("hex")])
    expect(all).not.toContain(form);
  // The same verb in this process, where the generator is watched: all 32 bytes are its own.
  const generator = watchGenerator();
  try {
    const visitor: Actor = { kind: "visitor", ip: "192.0.2.1", device: "x", language: "en", requestId: "x" };
    const entered = await signInWithPassword(visitor, {
      username: person.username,
      password: person.password,
    });
    if (!entered.ok) throw new Error(entered.code);
    expect(generator.gave(Buffer.from(entered.session.token, "base64url"))).toBe(true);
  } finally {
    generator.stop();
  }
});

test("7.2.4 signing in, confirming and a new password each issue another token, and invalidate the previous one", async () => {
  const person = await registerPerson(server);
  const { username, password } = person;
  const renewals: Array<() => Promise<unknown>> = [
    () => person.post("/api/auth/login", { username, password }),
    () => person.post("/api/auth/confirm-password", { password }),
    () => postForm(person, paths.settingsConfirm("/settings"), { password }),
    () =>
      person.post("/api/auth/change-password", { currentPassword: password, newPassword: "another word" }),
    () => person.post("/api/auth/register", { ...fresh(), avatarInitials: "" }),
  ];
  for (const renew of renewals) {
    const before = tokenOf(person);
    await renew();
    expect(tokenOf(person)).not.toBe(before);
    expect([await opens(before), await isSignedIn(person)]).toEqual([[false, false], true]);
  }
});

const fresh = () => {
  const username = `fresh${crypto.randomUUID().slice(0, 8)}`;
  return {
    username,
    password: "a long enough word",
    displayName: "Fresh One",
    email: `${username}@example.mn`,
  };
};

test("7.3.1 an unused session ends: after a week, an administrator's after two hours", async () => {
  const person = await registerPerson(server);
  for (const [who, last] of [
    [person, "6 days 23 hours"],
    [person, "7 days 1 minute"],
  ] as const) {
    await change(
      tokenOf(who),
      `last_seen_at = now() - interval '${last}', created_at = now() - interval '8 days'`,
    );
    expect([last, await isSignedIn(who)]).toEqual([last, last.startsWith("6")]);
  }
  const desk = await signInAdministrator(server);
  await change(
    tokenOf(desk),
    "last_seen_at = now() - interval '1 hour 59 minutes', created_at = now() - interval '5 hours'",
  );
  expectStatus(await desk.get("/api/admin/stats"), 200);
  await change(tokenOf(desk), "last_seen_at = now() - interval '2 hours 1 minute'");
  expectStatus(await desk.get("/api/admin/stats"), 401);
});

test("7.3.2 every session ends even if used: after 30 days, an administrator's after 12 hours", async () => {
  const person = await registerPerson(server);
  const lifetimes = async (who: string) => {
    const [row] = await db().execute<{ ms: number }>(sql`
      SELECT (extract(epoch FROM expires_at - s.created_at) * 1000)::float8 AS ms FROM identity.sessions s
      JOIN identity.users u ON u.id = s.user_id WHERE u.username = ${who} ORDER BY s.id DESC LIMIT 1`);
    return row?.ms;
  };
  expect(await lifetimes(person.username)).toBe(30 * day);
  await signInAdministrator(server);
  expect(await lifetimes(testAdministrator.username)).toBe(12 * hour);
  expectStatus(await person.get("/api/chat/rooms"), 200);
  await change(
    tokenOf(person),
    "created_at = now() - interval '31 days', expires_at = now() - interval '1 second'",
  );
  expect(await opens(tokenOf(person))).toEqual([false, false]);
});

/** Two who sit in a room, each with a socket at an instance of their own. */
async function talking() {
  const pair = await makeRoomPair(server);
  const lines = await Promise.all([
    openRoomSocket(pair.buyer.cookies(), server.url, pair.roomId, pair.buyer.id),
    openRoomSocket(pair.buyer.cookies(), other.url, pair.roomId, pair.buyer.id),
  ]);
  for (const line of lines) expect(line.heard.length).toBeGreaterThan(0);
  /** The codes by which both are cut, at once: not only when the next beat, one each 20 seconds, finds their session gone. */
  const closed = async () => {
    const from = performance.now();
    const codes = await Promise.all(lines.map((line) => line.closed));
    expect(performance.now() - from).toBeLessThan(5_000);
    return codes;
  };
  return { ...pair, closed };
}

test("7.4.1 signing out ends the session everywhere: at both instances, for pages, calls and open sockets", async () => {
  const { buyer, closed } = await talking();
  const token = tokenOf(buyer);
  expectStatus(await buyer.post("/api/auth/logout"), 200);
  expect(await closed()).toEqual([4401, 4401]);
  expect(await opens(token)).toEqual([false, false]);
  for (const at of [server, other]) {
    expect((await holding(token, at).get("/chat")).status).toBe(303);
    const again = await openRoomSocket(`${cookieName}=${token}`, at.url, 1, buyer.id);
    expect(await again.closed).toBe(4401);
  }
  const byPage = await registerPerson(server);
  const left = tokenOf(byPage);
  expectStatus(await postForm(byPage, "/logout"), 303);
  expect(await opens(left)).toEqual([false, false]);
});

test("7.4.2 a deleted account has no session and no socket left", async () => {
  const { buyer, closed } = await talking();
  const token = tokenOf(buyer);
  expectStatus(await admin.delete(`/api/admin/users/${buyer.id}`), 200);
  expect(await closed()).toEqual([4401, 4401]);
  expect(await opens(token)).toEqual([false, false]);
  // Whatever asks nothing of the person themself is closed too.
  for (const path of ["/api/chat/rooms", "/api/transactions", "/api/users/me/sessions"])
    expectStatus(await holding(token).get(path), 401);
  const [left] = await db().execute(sql`SELECT 1 FROM identity.sessions WHERE user_id = ${buyer.id}`);
  expect(left).toBeUndefined();
  const leaving = await registerPerson(server);
  const elsewhere = await another(leaving, other);
  const { username, password } = leaving;
  expectStatus(await leaving.send("DELETE", "/api/users/me", { password, confirmation: username }), 200);
  expect(await isSignedIn(elsewhere)).toBe(false);
});

test("7.4.3 a changed or reset password and a second factor turned on end the other sessions", async () => {
  const { buyer, closed } = await talking();
  const elsewhere = await another(buyer, other);
  const newPassword = "another long word";
  expectStatus(
    await buyer.post("/api/auth/change-password", { currentPassword: buyer.password, newPassword }),
    200,
  );
  expect([await isSignedIn(elsewhere), await isSignedIn(buyer)]).toEqual([false, true]);
  expect(await closed()).toEqual([4401, 4401]);
  const person = await registerPerson(server);
  const phone = await another(person, other);
  await turnFactorOn(person);
  expect([await isSignedIn(phone), await isSignedIn(person)]).toEqual([false, true]);
  expectStatus(await server.client().post("/api/auth/forgot-password", { email: person.email }), 200);
  const token = await readMailedToken(server, person.email, "reset-password");
  expectStatus(await server.client().post("/api/auth/reset-password", { token, newPassword }), 200);
  expect(await isSignedIn(person)).toBe(false);
});

test("7.4.4 every page of a signed-in person has the sign-out on it", async () => {
  const deal: ServerTrade = await openPaidTrade(server);
  const ids: Record<string, string> = {
    "/chat/:id": `/chat/${deal.roomId}`,
    "/chat/:id/vault": `/chat/${deal.roomId}/vault`,
  };
  const own = ["/chat", "/history", "/profile", "/settings", "/settings/second-factor", "/settings/delete"];
  const pages = [...own, ...Object.values(ids), `/transactions/${deal.id}`, "/support", "/faq"];
  const desk = routes
    .map(({ path }) => `/${path}`)
    .filter((path) => path.startsWith("/admin") && !/:|csv|login/.test(path));
  expect(desk.length).toBeGreaterThan(8);
  const wayOut = /<form[^>]*action="\/logout"[^>]*method="post"/;
  for (const [who, list] of [
    [deal.buyer, pages],
    [admin, [...desk, `/admin/users/${deal.buyer.id}`, `/admin/transactions/${deal.id}`]],
  ] as const) {
    for (const path of list) {
      const page = expectStatus(await who.get(path), 200);
      expect([
        path,
        wayOut.test(page.text),
        page.text.includes(translateText("en", "header.signOut")),
      ]).toEqual([path, true, true]);
    }
  }
});

test("7.4.5 an administrator ends all sessions of a person, sockets too, and must have a fresh login", async () => {
  const { buyer, closed } = await talking();
  const at = paths.adminUser(buyer.id);
  const stale = await signInAdministrator(server);
  await change(tokenOf(stale), "authenticated_at = now() - interval '11 minutes'");
  const asked = await postForm(stale, at, { form: "sign-out" });
  expect(asked.headers.get("location")).toStartWith(`${paths.adminLogin}?next=`);
  expect(await isSignedIn(buyer)).toBe(true);
  expectStatus(await postForm(admin, at, { form: "sign-out" }), 303);
  expect(await closed()).toEqual([4401, 4401]);
  expect(await opens(tokenOf(buyer))).toEqual([false, false]);
});

test("7.5.1 what signing in depends on is changed only with a fresh login", async () => {
  const person = await registerPerson(server);
  await ageLogins(person);
  const asking: Array<[method: string, path: string, body?: object]> = [
    ["POST", factorPath],
    ["POST", `${factorPath}/confirm`, { code: "123456" }],
    ["POST", `${factorPath}/recovery-codes`],
    ["DELETE", factorPath],
    ["GET", "/api/users/me/data"],
  ];
  for (const [method, path, body] of asking) {
    const reply = await person.send(method, path, body);
    expect([path, reply.status, reply.body.code]).toEqual([path, 403, "REAUTH_REQUIRED"]);
  }
  for (const page of ["/settings/second-factor", "/settings/second-factor/codes", "/settings/data"]) {
    const reply = page.endsWith("codes")
      ? await person.get(page)
      : await postForm(person, page, { form: "begin" });
    expect([page, reply.headers.get("location")]).toEqual([
      page,
      expect.stringMatching(/^\/settings\/confirm\?next=/),
    ]);
  }
  // The address is set once and by nobody again: there is nothing to prove for.
  expectStatus(
    await person.patch("/api/users/profile", { email: "thief@example.mn", username: "thief" }),
    200,
    422,
  );
  expect(expectStatus(await person.get("/api/auth/user"), 200).body).toMatchObject({
    email: person.email,
    username: person.username,
  });
});

test("7.5.2 people see where they are signed in, and end any of it after confirming who they are", async () => {
  const person = await registerPerson(server);
  const phones = [await another(person, other), await another(person, other)];
  const listed = expectStatus(await person.get("/api/users/me/sessions"), 200).list;
  expect(listed.map(({ current }) => current).sort()).toEqual([false, false, true]);
  const foreign = listed.find(({ current }) => !current)?.sessionId;
  await ageLogins(person);
  for (const path of [`/api/users/me/sessions/${foreign}`, "/api/users/me/sessions"]) {
    expect((await person.delete(path)).body.code).toBe("REAUTH_REQUIRED");
  }
  const pressed = await postForm(person, "/settings", { form: "device", session: String(foreign) });
  expect(pressed.headers.get("location")).toBe(paths.settingsConfirm(`/settings?device=${foreign}`));
  const all = await postForm(person, "/settings", { form: "others" });
  expect(all.headers.get("location")).toBe(paths.settingsConfirm("/settings?device=others"));
  expect(await Promise.all(phones.map(isSignedIn))).toEqual([true, true]);
  expectStatus(await person.post("/api/auth/confirm-password", { password: person.password }), 200);
  expectStatus(await person.delete(`/api/users/me/sessions/${foreign}`), 200);
  expect((await Promise.all(phones.map(isSignedIn))).sort()).toEqual([false, true]);
  expectStatus(await person.delete("/api/users/me/sessions"), 200);
  expect(await Promise.all(phones.map(isSignedIn))).toEqual([false, false]);
  expect(await isSignedIn(person)).toBe(true);
});

test("7.6.2 merely opening a page makes no session, also from a mail or an invitation", async () => {
  const person = await registerPerson(server);
  const { roomId, inviteCode } = await makeRoomPair(server);
  expectStatus(await server.client().post("/api/auth/forgot-password", { email: person.email }), 200);
  const reset = await readMailedToken(server, person.email, "reset-password");
  const proof = await readMailedToken(server, person.email, "verify-email");
  const pages = routes.map(({ path }) => `/${path}`.replace("//", "/").replace(/:\w+/g, "1"));
  const led = [`/reset-password?token=${reset}`, `/verify-email?token=${proof}`, `/?invite=${inviteCode}`];
  for (const path of [...pages, ...led, `/chat?invite=${inviteCode}`, `/chat/${roomId}`, "/api/auth/login"]) {
    const visitor = server.client();
    const reply = await visitor.get(path);
    expect([path, reply.headers.getSetCookie().filter((one) => one.includes(cookieName))]).toEqual([
      path,
      [],
    ]);
    expect([path, await isSignedIn(visitor)]).toEqual([path, false]);
  }
  const waiting = await turnFactorOn(person);
  const browser = await beginCodeLogin(server.client(), person);
  expectStatus(await browser.get("/sign-in/code"), 200);
  expect(await isSignedIn(browser)).toBe(false);
  expectStatus(await browser.post("/api/auth/second-factor", { code: await codeOf(waiting.secret, 0) }), 200);
});
