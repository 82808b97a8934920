import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readConfig } from "#config";
import { accountFieldLimits, passwordWords } from "#forms/identity";
import { translateText } from "#locales";
import {
  type Actor,
  beginSecondFactor,
  confirmSecondFactor,
  type Member,
  requireFreshLogin,
  signInWithPassword,
} from "#modules/identity";
import routes from "../../app/routes.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { registeredCalls } from "../support/api/registered-calls.ts";
import { watchGenerator } from "../support/hostile/watched-generator.ts";
import { errorOf, postForm } from "../support/pages/post-form.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import { beginCodeLogin, codeOf, type Factor, turnFactorOn } from "../support/people/second-factor.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { readMailedToken } from "../support/services/mailed-token.ts";
import { deviationsHeading, readSecuritySection } from "../support/sources/security-docs.ts";

/** V6: passwords, throttles, second factors and the ways in. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "../..");
const source = (path: string) => readFileSync(join(root, path), "utf8");

let server: Server;
let admin: Client;

beforeAll(async () => {
  // Each caller names an address of their own, as behind a proxy; throttles are those of production.
  server = await startServer({ environment: { THROTTLE_FACTOR: "1", TRUST_PROXY: "true" } });
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

let addresses = 0;
const elsewhere = () => server.client({ "X-Forwarded-For": `192.0.2.${++addresses}` });
const someone = () => registerPerson({ client: elsewhere });
const signedIn = async (who: Client) => (await who.get("/api/auth/session")).body.isAuthenticated;
const signIn = (who: Client, username: string, password: string) =>
  who.post("/api/auth/login", { username, password });

const account = (password: string) => {
  const username = `pass${crypto.randomUUID().slice(0, 8)}`;
  const email = `${username}@example.mn`;
  return { username, password, displayName: "Bat Erdene", email, avatarInitials: "" };
};
const registering = (password: string) => elsewhere().post("/api/auth/register", account(password));

const ways = () => readSecuritySection("authentication", "Authentication");
const deviations = () => readSecuritySection("asvs", deviationsHeading);

test("6.1.1 every throttle of signing in is documented with its figures, and that nobody can lock an owner out", () => {
  const found = [
    ...source("modules/identity/lib/login/throttles.ts").matchAll(
      /"([\w:-]+)": \{ max: (\d+), seconds: ([^}]+) \}/g,
    ),
  ];
  expect(found.length).toBeGreaterThan(10);
  for (const [, name = "", max = "", span = ""] of found) {
    const spelt = {
      "15 * minuteSeconds": "15 minutes",
      hourSeconds: "hour",
      "24 * hourSeconds": "day",
    }[span];
    expect(ways()).toContain(`| \`${name}\` | ${max} | ${spelt} |`);
  }
  expect(ways()).toMatch(/lock/);
});

test("6.1.2 the words that cannot be a password are listed", () => {
  for (const word of passwordWords) expect([word, ways().includes(`\`${word}\``)]).toEqual([word, true]);
});

/** The calls that hand out a session, as their source has them. */
function entrances(): string[] {
  return ["lib/sessions/routes.ts", "lib/passkeys/routes.ts", "http.ts"].flatMap((file) =>
    source(`modules/identity/${file}`)
      .split(/\n\s*\.post\(/)
      .filter((route) => /(?<!\w)issueSessionCookie\(/.test(route))
      .flatMap((route) => /"(\/api\/[^"]+)"/.exec(route)?.[1] ?? []),
  );
}

test("6.1.3 every call and page that issues a session is documented, and there is no other", () => {
  expect(entrances()).toHaveLength(8);
  for (const call of entrances()) expect([call, ways().includes(call)]).toEqual([call, true]);
  const having = (glob: string, what: RegExp) =>
    [...new Bun.Glob(glob).scanSync({ cwd: root })].filter(
      (path) => !/test/.test(path) && what.test(source(path)),
    );
  const pages = having("app/**/*.{ts,tsx}", /\bfinishSignIn\(/);
  expect(pages.length).toBeGreaterThan(5);
  for (const path of pages) expect([path, ways().includes(`\`${path}\``)]).toEqual([path, true]);
  const opening = having("modules/**/*.ts", /\bopenSession\(/).map((path) => path.split("/").at(-1));
  expect(opening.sort()).toEqual([
    ...[
      "change-password.ts",
      "confirm-with-passkey.ts",
      "finish-login.ts",
      "login.ts",
      "register.ts",
      "sessions.ts",
      "sign-in-with-passkey.ts",
    ],
  ]);
});

test("6.2.1 a password has six characters at least, an administrator's twelve; that six are fewer than eight is a deviation", async () => {
  const short = expectStatus(await registering("a1b2c"), 422).body;
  expect(short.fields.password).toEqual([translateText("en", "validation.password")]);
  expectStatus(await registering("a1b2c9"), 200, 201);
  expect([accountFieldLimits.password.min, accountFieldLimits.password.adminMin]).toEqual([6, 12]);
  const person = await someone();
  await setRight(person.id, true);
  const change = { currentPassword: person.password, newPassword: "eleven chrs" };
  expect((await person.post("/api/auth/change-password", change)).body.code).toBe("PASSWORD_SHORT_FOR_ADMIN");
  await setRight(person.id, false);
  expect(deviations()).toContain("| 6.2.1 |");
});

test("6.2.2 people change their password, by page and by call", async () => {
  const person = await someone();
  const fields = { currentPassword: person.password, newPassword: "by a form", confirmPassword: "by a form" };
  expectStatus(await postForm(person, "/settings", { form: "password", ...fields }), 303);
  const change = { currentPassword: "by a form", newPassword: "by a call" };
  expectStatus(await person.post("/api/auth/change-password", change), 200);
  expectStatus(await signIn(elsewhere(), person.username, "by a call"), 200);
  for (const gone of [person.password, "by a form"])
    expectStatus(await signIn(elsewhere(), person.username, gone), 401);
});

test("6.2.3 a change needs the current password", async () => {
  const person = await someone();
  const at = "/api/auth/change-password";
  expectStatus(await person.post(at, { newPassword: "a new word" }), 422);
  const wrong = expectStatus(
    await person.post(at, { currentPassword: "not it", newPassword: "a new word" }),
    422,
  );
  expect(wrong.body.code).toBe("PASSWORD_WRONG");
  const empty = {
    form: "password",
    currentPassword: "",
    newPassword: "a new word",
    confirmPassword: "a new word",
  };
  expect(
    errorOf(expectStatus(await postForm(person, "/settings", empty), 422), "password-currentPassword"),
  ).not.toBeNull();
  expectStatus(await signIn(elsewhere(), person.username, person.password), 200);
});

test("6.2.4 the 3,000 most common are refused at registration, change and reset", async () => {
  const list = source("modules/identity/lib/password/common-passwords.txt")
    .split("\n")
    .filter((line) => line && !/^# /.test(line));
  expect(list.length).toBeGreaterThanOrEqual(3_000);
  expect(list.filter((word) => word.length < accountFieldLimits.password.min)).toEqual([]);
  const person = await someone();
  for (const common of [list[0], list[1_499]?.toUpperCase(), list.at(-1)]) {
    expect((await registering(common ?? "")).body.code).toBe("PASSWORD_COMMON");
  }
  const change = { currentPassword: person.password, newPassword: list[7] };
  expect((await person.post("/api/auth/change-password", change)).body.code).toBe("PASSWORD_COMMON");
  expectStatus(await elsewhere().post("/api/auth/forgot-password", { email: person.email }), 200);
  const token = await readMailedToken(server, person.email, "reset-password");
  const reset = { token, newPassword: list[0] };
  expect((await elsewhere().post("/api/auth/reset-password", reset)).body.code).toBe("PASSWORD_COMMON");
});

test("6.2.5 a password may be of any kind of characters", async () => {
  const kinds = ["83921740", "ммммппп", "      x", "🐴🐫🐑🐐🐄🐎", "!?#-+&~", "onlysmallletters"];
  const replies = await Promise.all(kinds.map(registering));
  expect(replies.map(({ status }) => status)).toEqual(kinds.map(() => 200));
});

/** Every field of a page that takes a password. */
function passwordFields({ text: html }: Reply): string[] {
  return (html.match(/<input[^>]*>/g) ?? []).filter((tag) => /name="[\w-]*password"/i.test(tag));
}

let asked: Promise<Array<[path: string, page: Reply]>> | undefined;

/** Every page that asks for a password, as it is shown to who is to type one. */
function pagesWithPasswords(): Promise<Array<[path: string, page: Reply]>> {
  asked ??= askForPages();
  return asked;
}

async function askForPages(): Promise<Array<[path: string, page: Reply]>> {
  const person = await someone();
  const visitor = elsewhere();
  expectStatus(await visitor.post("/api/auth/forgot-password", { email: person.email }), 200);
  const token = await readMailedToken(server, person.email, "reset-password");
  const open = ["/", "/?tab=register", "/admin/login", `/reset-password?token=${token}`];
  const own = ["/settings", "/settings/confirm?next=%2Fsettings", "/settings/delete"];
  const shown: Array<[string, Reply]> = [];
  for (const path of open) shown.push([path, await visitor.get(path)]);
  for (const path of own) shown.push([path, await person.get(path)]);
  await db().execute(sql`UPDATE identity.users SET must_change_password = true WHERE id = ${person.id}`);
  return [...shown, ["/change-password", await person.get("/change-password")]];
}

test("6.2.6 every field for a password is masked", async () => {
  for (const [path, page] of await pagesWithPasswords()) {
    expect([path, page.status, passwordFields(page).length > 0]).toEqual([path, 200, true]);
    for (const field of passwordFields(page))
      expect([path, field]).toEqual([path, expect.stringContaining('type="password"')]);
  }
});

test("6.2.7 every password field allows pasting, and tells password managers what it contains", async () => {
  for (const [path, page] of await pagesWithPasswords()) {
    for (const field of passwordFields(page)) {
      expect([path, field]).toEqual([
        path,
        expect.stringMatching(/autocomplete="(?:current|new)-password"/i),
      ]);
      expect(field).not.toMatch(/\s(?:onpaste|readonly|maxlength)/i);
    }
  }
  const scripts = [...new Bun.Glob("app/{enhance,ui,routes}/**/*.{ts,tsx}").scanSync({ cwd: root })];
  expect(
    scripts.filter((path) => /"(?:before)?(?:paste|input)"[^\n]*preventDefault|onPaste/.test(source(path))),
  ).toEqual([]);
});

test("6.2.8 a password is compared completely, with its case and its spaces", async () => {
  const long = `${"long and ".repeat(15)}exact`;
  const given = account(` ${long} `);
  expectStatus(await elsewhere().post("/api/auth/register", given), 200);
  const others = [long, ` ${long}`, ` ${long.toUpperCase()} `, ` ${long}! `, ` ${long.slice(0, 72)}`];
  const replies = await Promise.all(others.map((other) => signIn(elsewhere(), given.username, other)));
  expect(replies.map(({ status }) => status)).toEqual(others.map(() => 401));
  expectStatus(await signIn(elsewhere(), given.username, given.password), 200);
  expect(deviations()).toContain("| 6.2.8 |");
});

test("6.2.9 a password may have 64 characters and more", async () => {
  for (const length of [64, 200]) {
    const given = account("ab c".repeat(50).slice(0, length));
    expectStatus(await elsewhere().post("/api/auth/register", given), 200);
    expectStatus(await signIn(elsewhere(), given.username, given.password), 200);
  }
  expectStatus(await registering("э".repeat(64)), 200);
  expectStatus(await registering("a".repeat(201)), 422);
});

test("6.2.10 an old password stays valid", async () => {
  const person = await someone();
  await db().execute(sql`
    UPDATE identity.users SET created_at = now() - interval '9 years', updated_at = now() - interval '9 years'
    WHERE id = ${person.id}`);
  const done = expectStatus(await signIn(elsewhere(), person.username, person.password), 200);
  expect((done.body.user as { mustChangePassword: boolean }).mustChangePassword).toBe(false);
});

test("6.2.11 a password that is Midman's name, or its owner's, is refused wherever one is set", async () => {
  for (const guessed of ["Midman2026!", "мидман 99", "QPAY-escrow-1"]) {
    expect([guessed, (await registering(guessed)).body.code]).toEqual([guessed, "PASSWORD_GUESSABLE"]);
  }
  const own = account("-");
  const named = await elsewhere().post("/api/auth/register", { ...own, password: `${own.username}!!` });
  expect(named.body.code).toBe("PASSWORD_GUESSABLE");
  const person = await someone();
  const change = { currentPassword: person.password, newPassword: `1${person.username.toUpperCase()}1` };
  expect((await person.post("/api/auth/change-password", change)).body.code).toBe("PASSWORD_GUESSABLE");
  expectStatus(await elsewhere().post("/api/auth/forgot-password", { email: person.email }), 200);
  const token = await readMailedToken(server, person.email, "reset-password");
  const reset = expectStatus(
    await elsewhere().post("/api/auth/reset-password", { token, newPassword: "midman midman" }),
    422,
  );
  expect(reset.body.code).toBe("PASSWORD_GUESSABLE");
});

test("6.2.12 passwords known from breaches are refused: the most used ones, without calling an outside service", async () => {
  for (const breached of ["qwerty123", "iloveyou", "password1", "1qaz2wsx", "dragon"]) {
    expect([breached, (await registering(breached)).body.code]).toEqual([breached, "PASSWORD_COMMON"]);
  }
  expect(deviations()).toContain("| 6.2.12 |");
});

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
  const forms = source("modules/identity/forms.ts");
  expect(forms).not.toMatch(/\b(?:hint|question|securityAnswer|maidenName)\b/);
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
