import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { accountFieldLimits, passwordWords } from "#forms/identity";
import { translateText } from "#locales";
import { db } from "../../db/client.ts";
import { errorOf, postForm } from "../support/pages/post-form.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import type { Reply } from "../support/server/http-client.ts";
import { readMailedToken } from "../support/services/mailed-token.ts";
import {
  account,
  deviations,
  elsewhere,
  registering,
  root,
  server,
  signIn,
  someone,
  source,
  useAuthenticationServer,
  ways,
} from "./authentication.fixture.ts";

/** V6: passwords, and what is documented of signing in. */

useAuthenticationServer();

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

export let asked: Promise<Array<[path: string, page: Reply]>> | undefined;

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
