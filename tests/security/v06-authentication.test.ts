import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { readConfig } from "#config";
import {
  type Actor,
  beginSecondFactor,
  confirmSecondFactor,
  type Member,
  requireFreshLogin,
  signInWithPassword,
} from "#modules/identity";
import routes from "../../app/routes.ts";
import { db } from "../../db/client.ts";
import { registeredCalls } from "../support/api/registered-calls.ts";
import { watchGenerator } from "../support/hostile/watched-generator.ts";
import { postForm } from "../support/pages/post-form.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import { expectStatus, type Person, signInAdministrator } from "../support/people/registered-people.ts";
import { beginCodeLogin, codeOf, type Factor, turnFactorOn } from "../support/people/second-factor.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { startServer } from "../support/server/midman-server.ts";
import { readMailedToken } from "../support/services/mailed-token.ts";
import { findSourcesWith, productSources } from "../support/sources/product-sources.ts";
import {
  deviations,
  elsewhere,
  root,
  server,
  signedIn,
  signIn,
  someone,
  source,
  useAuthenticationServer,
  ways,
} from "./authentication.fixture.ts";

/** V6: throttles, second factors and the ways in. */

useAuthenticationServer();

let admin: Client;

beforeAll(async () => {
  admin = await signInAdministrator(server);
}, 60_000);

test("6.3.1 guessing is throttled per address with a retry time, and keeps the owner out nowhere else", async () => {
  const person = await someone();
  const [guesser, owner] = [elsewhere(), elsewhere()];
  const tries: number[] = [];
  for (let n = 0; n < 12; n++) tries.push((await signIn(guesser, person.username, `guess ${n}`)).status);
  expect(tries).toEqual([...Array(10).fill(401), 429, 429]);
  const stopped = expectStatus(await signIn(guesser, person.email, person.password), 429);
  expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThan(0);
  expectStatus(
    await guesser.post("/api/admin/login", { username: person.username, password: person.password }),
    429,
  );
  expectStatus(
    await postForm(guesser, "/", { form: "login", username: person.username, password: person.password }),
    429,
  );
  expectStatus(await signIn(owner, person.username, person.password), 200);
});

test("6.3.2 there are no default accounts, and none with a known password", async () => {
  const known = ["admin", "root", "sa", "administrator", "sandbox", "midman"];
  const tried = [...known.map((name) => [name, name]), ["admin", "password"], ["admin", "midman"]];
  const replies = await Promise.all(
    tried.map(([username, password]) => elsewhere().post("/api/admin/login", { username, password })),
  );
  expect(replies.map(({ status }) => status)).toEqual(tried.map(() => 401));
  const read = readConfig({ ALLOW_SANDBOX: "true" });
  expect(read.ok && read.config.ADMIN_PASSWORD).toBeUndefined();
  const first = await db().execute<{ count: string }>(
    sql`SELECT count(*) FROM identity.users WHERE id <= 1 AND is_admin`,
  );
  expect(Number(first[0]?.count)).toBe(1);
});

/** Somebody whose second factor is on. */
async function withFactor(): Promise<Person & Factor> {
  const person = await someone();
  return { ...person, ...(await turnFactorOn(person)) };
}

/** The settings of an instance where real money moves; nobody listens at its provider. */
const realMoney = {
  ...{ QPAY_BASE_URL: "http://127.0.0.1:9/v2", QPAY_USERNAME: "merchant", QPAY_PASSWORD: "of the merchant" },
  ...{ QPAY_INVOICE_CODE: "M", TRUST_PROXY: "true" },
};

test("6.3.3 with real money no administrator works without a second factor; others may have one, which is a deviation", async () => {
  const { databaseUrl, dataDir } = server;
  const real = await startServer({ databaseUrl, dataDir, environment: realMoney });
  try {
    const boss = await someone();
    await setRight(boss.id, true);
    const desk = real.client();
    expectStatus(
      await desk.post("/api/admin/login", { username: boss.username, password: boss.password }),
      200,
    );
    const ofTheDesk = registeredCalls.filter(
      ({ path }) => path.startsWith("/api/admin/") && path !== "/api/admin/login",
    );
    expect(ofTheDesk.length).toBeGreaterThan(40);
    const replies = await Promise.all(
      ofTheDesk.map(({ method, path }) => desk.send(method, path.replaceAll(/:\w+/g, "1"))),
    );
    const passed = replies.filter(({ body }) => body.code !== "SECOND_FACTOR_SETUP_REQUIRED");
    expect(passed.map(({ text }) => text)).toEqual([]);
    for (const { path } of routes.filter(({ path }) => /^admin(?!\/login)/.test(path ?? ""))) {
      const page = await desk.get(`/${path?.replaceAll(/:\w+/g, "1")}`);
      expect([path, page.headers.get("location")]).toEqual([
        path,
        expect.stringMatching(/^\/settings\/second-factor\?next=%2Fadmin/),
      ]);
    }
    await turnFactorOn(desk);
    expectStatus(await desk.get("/api/admin/stats"), 200);
  } finally {
    await real.kill();
  }
  const person = await withFactor();
  const browser = await beginCodeLogin(elsewhere(), person);
  expect(await signedIn(browser)).toBe(false);
  expectStatus(await browser.post("/api/auth/second-factor", { code: await codeOf(person.secret, 0) }), 200);
  expect(await signedIn(browser)).toBe(true);
  expect(deviations()).toContain("| 6.3.3 |");
});

test("6.3.4 no way to sign in bypasses the second factor, and each has its throttle", async () => {
  const person = await withFactor();
  const { username, password, email } = person;
  const tries: Array<[Client, () => Promise<Reply>]> = [username, email].flatMap((name) => {
    const [call, page, desk] = [elsewhere(), elsewhere(), elsewhere()];
    return [
      [call, () => signIn(call, name, password)],
      [page, () => postForm(page, "/", { form: "login", username: name, password })],
      [desk, () => desk.post("/api/admin/login", { username: name, password })],
      [desk, () => postForm(desk, "/admin/login", { username: name, password })],
    ];
  });
  for (const [browser, way] of tries) {
    const { headers } = await way();
    expect(headers.getSetCookie().filter((cookie) => /session=[\w-]{43}/.test(cookie))).toEqual([]);
    expect(await signedIn(browser)).toBe(false);
  }
  await setRight(person.id, true);
  const desk = elsewhere();
  const asked = await desk.post("/api/admin/login", { username, password });
  expect([asked.body.code, await signedIn(desk)]).toEqual(["SECOND_FACTOR_REQUIRED", false]);
  await setRight(person.id, false);
  const proofs: Array<[string, object]> = [
    ["/api/auth/confirm-password", { password }],
    ["/api/auth/change-password", { currentPassword: password, newPassword: "another long word" }],
  ];
  for (const [path, body] of proofs) {
    expect((await person.post(path, body)).body.code).toBe("SECOND_FACTOR_REQUIRED");
  }
  const gone = await person.send("DELETE", "/api/users/me", { password, confirmation: username });
  expect(gone.body.code).toBe("SECOND_FACTOR_REQUIRED");
  expectStatus(await signIn(elsewhere(), username, password), 401);
  // Of eleven wrong passwords at once one is too many, whichever way they take.
  const wrong = "not the password";
  const ways: Array<(who: Person, at: Client) => Promise<Reply>> = [
    (who, at) => signIn(at, who.username, wrong),
    (who, at) => postForm(at, "/", { form: "login", username: who.username, password: wrong }),
    (who, at) => at.post("/api/admin/login", { username: who.username, password: wrong }),
    (who, at) => postForm(at, "/admin/login", { username: who.username, password: wrong }),
    (who) => who.post("/api/auth/confirm-password", { password: wrong }),
    (who) => who.post("/api/auth/change-password", { currentPassword: wrong, newPassword: "another word" }),
    (who) => who.send("DELETE", "/api/users/me", { password: wrong, confirmation: who.username }),
  ];
  for (const [at, way] of ways.entries()) {
    const [who, browser] = [await someone(), elsewhere()];
    const replies = await Promise.all(Array.from({ length: 11 }, () => way(who, browser)));
    const refused = replies.filter(({ status }) => status === 429).length;
    expect([at, refused > 0, refused < 6]).toEqual([at, true, true]);
  }
});

test("6.4.1 a first password allows only its own change; a link is valid for an hour, works once, and is not a password", async () => {
  const person = await someone();
  await db().execute(sql`UPDATE identity.users SET must_change_password = true WHERE id = ${person.id}`);
  for (const path of ["/api/chat/rooms", "/api/transactions", "/api/users/me/sessions"]) {
    expect((await person.get(path)).body.code).toBe("PASSWORD_CHANGE_REQUIRED");
  }
  const same = { currentPassword: person.password, newPassword: person.password };
  expect((await person.post("/api/auth/change-password", same)).body.code).toBe("PASSWORD_UNCHANGED");
  expectStatus(
    await person.post("/api/auth/change-password", { ...same, newPassword: "a word of my own" }),
    200,
  );
  expectStatus(await person.get("/api/chat/rooms"), 200);

  expectStatus(await elsewhere().post("/api/auth/forgot-password", { email: person.email }), 200);
  const token = await readMailedToken(server, person.email, "reset-password");
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  const [row] = await db().execute<{ seconds: number }>(sql`
    SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM identity.tokens
    WHERE user_id = ${person.id} AND kind = 'password_reset'`);
  expect(row?.seconds).toBe(3_600);
  expectStatus(await signIn(elsewhere(), person.username, token), 401);
  expectStatus(
    await elsewhere().post("/api/auth/reset-password", { token, newPassword: "by the mail" }),
    200,
  );
  const again = await elsewhere().post("/api/auth/reset-password", { token, newPassword: "by it again" });
  expect(again.body.code).toBe("RESET_LINK_INVALID");
});

test("6.4.2 no question, hint or answer replaces a password", async () => {
  const columns = await db().execute<{ name: string }>(sql`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'identity' AND column_name ~ 'hint|question|answer'`);
  expect([...columns]).toEqual([]);
  const forms = productSources("modules/identity/**/form*.ts");
  expect(forms.length).toBeGreaterThan(5);
  expect(findSourcesWith(/\b(?:hint|question|securityAnswer|maidenName)\b/, forms)).toEqual([]);
});

test("6.4.3 a reset needs the mailed link, ends every session, and leaves the second factor as it was", async () => {
  const person = await withFactor();
  expectStatus(await elsewhere().post("/api/auth/forgot-password", { email: person.email }), 200);
  const token = await readMailedToken(server, person.email, "reset-password");
  const browser = elsewhere();
  const done = expectStatus(
    await browser.post("/api/auth/reset-password", { token, newPassword: "by the mail" }),
    200,
  );
  expect(done.headers.getSetCookie().filter((cookie) => /session=[\w-]{43}/.test(cookie))).toEqual([]);
  expect([await signedIn(browser), await signedIn(person)]).toEqual([false, false]);
  const asked = await beginCodeLogin(elsewhere(), { username: person.username, password: "by the mail" });
  expect(await signedIn(asked)).toBe(false);
});

const noticesOf = async (id: number) =>
  (
    await db().execute(
      sql`SELECT 1 FROM mailer.messages WHERE user_id = ${id} AND template = 'securityNotice'`,
    )
  ).length;

test("6.4.4 a lost factor is removed by an administrator with a fresh login; it ends the sessions and is mailed", async () => {
  const [person, lost] = await Promise.all([someone(), withFactor()]);
  const lostAt = `/admin/users/${lost.id}`;
  await db().execute(sql`
    UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes'
    WHERE user_id IN (SELECT id FROM identity.users WHERE is_admin)`);
  const stale = await postForm(admin, lostAt, { form: "factor-off" });
  expect(stale.headers.get("location")).toStartWith("/admin/login?next=");
  await beginCodeLogin(elsewhere(), lost);
  admin = await signInAdministrator(server);
  expect((await postForm(person, lostAt, { form: "factor-off" })).headers.get("location")).toStartWith(
    "/admin/login",
  );
  const told = await noticesOf(lost.id);
  expect((await postForm(admin, lostAt, { form: "factor-off" })).headers.get("location")).toBe(lostAt);
  expect(await noticesOf(lost.id)).toBe(told + 1);
  expect(await signedIn(lost)).toBe(false);
  expectStatus(await signIn(elsewhere(), lost.username, lost.password), 200);
  expect(ways()).toMatch(/lost/);
});

test("6.5.1 an authenticator code and a recovery code work once, also for two at the same moment", async () => {
  const person = await withFactor();
  const browsers = await Promise.all([1, 2, 3, 4].map(() => beginCodeLogin(elsewhere(), person)));
  const code = await codeOf(person.secret, 0);
  for (const once of [code, person.recovery[0] ?? ""]) {
    const replies = await Promise.all(
      browsers.splice(0, 2).map((who) => who.post("/api/auth/second-factor", { code: once })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  }
});

test("6.5.2 a recovery code has more than 112 bits and is stored as a hash; the authenticator secret is stored encrypted", async () => {
  const person = await withFactor();
  expect(person.recovery).toHaveLength(10);
  for (const code of person.recovery) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/);
  expect(24 * Math.log2(32)).toBeGreaterThan(112);
  const codes = await db().execute<{ code_hash: string }>(sql`
    SELECT code_hash FROM identity.recovery_codes WHERE user_id = ${person.id}`);
  for (const { code_hash } of codes) expect(code_hash).toMatch(/^[0-9a-f]{64}$/);
  const [row] = await db().execute<{ secret: string }>(sql`
    SELECT encode(secret, 'hex') AS secret FROM identity.second_factors WHERE user_id = ${person.id}`);
  const { Secret } = await import("otpauth");
  expect(row?.secret.length).toBe(2 * (12 + 20 + 16));
  expect(row?.secret).not.toContain(Secret.fromBase32(person.secret).hex.toLowerCase());
});

test("6.5.3 secrets and codes come from the secure generator, and no two are equal", async () => {
  const people = await Promise.all([withFactor(), withFactor()]);
  const all = people.flatMap(({ secret, recovery }) => [secret, ...recovery]);
  expect(new Set(all).size).toBe(22);
  const letters = new Set(all.join("").replaceAll("-", ""));
  expect(letters.size).toBe(32);
  // The same verbs in this process, where the generator is watched.
  const { Secret } = await import("otpauth");
  const person = await someone();
  const generator = watchGenerator();
  try {
    const visitor: Actor = {
      kind: "visitor",
      ip: "192.0.2.250",
      device: "x",
      language: "en",
      requestId: "x",
    };
    const entered = await signInWithPassword(visitor, {
      username: person.username,
      password: person.password,
    });
    if (!entered.ok) throw new Error(entered.code);
    expect(generator.gave(Buffer.from(entered.session.token, "base64url"))).toBe(true);
    const [opened] = await db().execute<{ id: string }>(sql`
      SELECT id FROM identity.sessions WHERE user_id = ${person.id} ORDER BY id DESC LIMIT 1`);
    const member = {
      ...visitor,
      kind: "user",
      userId: person.id,
      sessionId: Number(opened?.id),
      authenticatedAt: new Date(),
    } as Member;
    const begun = await beginSecondFactor(member);
    if (!begun.ok) throw new Error(begun.code);
    expect(generator.gave(Secret.fromBase32(begun.secret).bytes)).toBe(true);
    const on = await confirmSecondFactor(member, { code: await codeOf(begun.secret, 0) });
    if (!on.ok) throw new Error(on.code);
    const codes = on.recoveryCodes.map((code) => Secret.fromBase32(code.replaceAll("-", "")).bytes);
    expect(codes.map((bytes) => [bytes.length, generator.gave(bytes)])).toEqual(Array(10).fill([15, true]));
  } finally {
    generator.stop();
  }
  const files = [...new Bun.Glob("modules/identity/**/*.ts").scanSync({ cwd: root })];
  expect(files.filter((path) => source(path).includes("Math.random"))).toEqual([]);
});

test("6.5.4 a code has at least 20 bits: six digits of an authenticator, 120 bits of a recovery code", async () => {
  const person = await withFactor();
  const browser = await beginCodeLogin(elsewhere(), person);
  const digits = await codeOf(person.secret, 0);
  expect(digits).toMatch(/^\d{6}$/);
  // Figures that no recovery code is read from, and a part of the right code.
  for (const shorter of ["23456", digits.slice(0, 5), "", "AAAA-BBBB"]) {
    expect((await browser.post("/api/auth/second-factor", { code: shorter })).body.code).toBe("VALIDATION");
  }
  expect(10 ** 6).toBeGreaterThan(2 ** 19);
  expect(person.recovery[0]?.replaceAll("-", "").length).toBe(24);
});

test("6.5.5 an authenticator code is valid for its step and the two beside it, a sign-in for five minutes; the steps beside it are a deviation", async () => {
  const person = await withFactor();
  const browser = await beginCodeLogin(elsewhere(), person);
  for (const steps of [-2, 3]) {
    const code = await codeOf(person.secret, steps);
    expect((await browser.post("/api/auth/second-factor", { code })).body.code).toBe("SECOND_FACTOR_WRONG");
  }
  await db().execute(sql`
    UPDATE identity.login_tickets SET created_at = created_at - interval '5 minutes',
      expires_at = expires_at - interval '5 minutes' WHERE user_id = ${person.id}`);
  const late = await browser.post("/api/auth/second-factor", { code: await codeOf(person.secret, 0) });
  expect(late.body.code).toBe("SIGN_IN_EXPIRED");
  expect(deviations()).toContain("| 6.5.5 |");
});

test("6.6.2 a code finishes the sign-in it was asked for, and a mailed link only its own purpose", async () => {
  const [person, other] = [await withFactor(), await withFactor()];
  const theirs = await beginCodeLogin(elsewhere(), other);
  const code = await codeOf(person.secret, 0);
  expectStatus(await theirs.post("/api/auth/second-factor", { code }), 422);
  expect((await elsewhere().post("/api/auth/second-factor", { code })).body.code).toBe("SIGN_IN_EXPIRED");
  const forgot = () => elsewhere().post("/api/auth/forgot-password", { email: person.email });
  expectStatus(await forgot(), 200);
  const first = await readMailedToken(server, person.email, "reset-password");
  expectStatus(await forgot(), 200);
  const second = await readMailedToken(server, person.email, "reset-password", [first]);
  const proof = await readMailedToken(server, person.email, "verify-email");
  for (const token of [first, proof]) {
    const reply = await elsewhere().post("/api/auth/reset-password", { token, newPassword: "by a mail" });
    expect(reply.body.code).toBe("RESET_LINK_INVALID");
  }
  expectStatus(
    await elsewhere().post("/api/auth/reset-password", { token: second, newPassword: "by a mail" }),
    200,
  );
});

test("6.6.3 guessing codes is stopped after six attempts at one address, and nowhere else for the owner", async () => {
  const person = await withFactor();
  const [guesser, owner] = [
    await beginCodeLogin(elsewhere(), person),
    await beginCodeLogin(elsewhere(), person),
  ];
  const right = await codeOf(person.secret, 0);
  const wrong = (n: number) => String((Number(right) + 1 + n) % 1_000_000).padStart(6, "0");
  const tries: number[] = [];
  for (let n = 0; n < 7; n++) {
    tries.push((await guesser.post("/api/auth/second-factor", { code: wrong(n) })).status);
  }
  expect(tries).toEqual([...Array(6).fill(422), 429]);
  expectStatus(await guesser.post("/api/auth/second-factor", { code: right }), 429);
  expectStatus(await owner.post("/api/auth/second-factor", { code: right }), 200);
});

test("after ten minutes a session no longer confirms who is present", () => {
  const at = new Date();
  const actor = (minutes: number) =>
    ({
      kind: "user",
      mustChangePassword: false,
      authenticatedAt: new Date(at.getTime() - minutes * 60_000),
    }) as Actor;
  expect(requireFreshLogin(actor(9), at).ok).toBe(true);
  expect(requireFreshLogin(actor(11), at)).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
});
