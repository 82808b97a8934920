import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { sql } from "drizzle-orm";
import { daysAfter, formatDay } from "#format";
import { translateText } from "#locales";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectMatch } from "../support/expect-match.ts";
import { postForm } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  addPasskey,
  createAuthenticator,
  createCredential,
  enterWithPasskey,
  type Lies,
  passkeysPath,
  signForConfirmation,
  signForLogin,
} from "../support/people/authenticator.ts";
import {
  ageLogins,
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import { turnFactorOn } from "../support/people/second-factor.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { freePort, type Server, startServer } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

/** Passkeys by their calls: an authenticator in software with real keys, and every lie a client could tell. */

setDefaultTimeout(60_000);

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
}, 240_000);

afterAll(() => disconnectDatabase());

const device = (options?: { counts: boolean }) => createAuthenticator(server.url, options);
const signedIn = async (who: Client) => (await who.get("/api/auth/session")).body.isAuthenticated;

async function withPasskey(options?: { counts: boolean }) {
  const person = await registerPerson(server);
  const key = device(options);
  return { person, key, id: await addPasskey(person, key) };
}

function refused(reply: Reply, code = "PASSKEY_FAILED", status = 422): void {
  expect([reply.status, reply.body.code]).toEqual([status, code]);
  expect(reply.headers.getSetCookie().join()).not.toMatch(/session=[\w-]{43}/);
}

/** How many security notices went to somebody. */
async function noticesOf({ id }: Person): Promise<number> {
  const rows = await db().execute(
    sql`SELECT 1 FROM mailer.messages WHERE user_id = ${id} AND template = 'securityNotice'`,
  );
  return rows.length;
}

async function logged(action: string, { id }: Person): Promise<number> {
  const rows = await db().execute(
    sql`SELECT 1 FROM audit.entries WHERE action = ${action} AND (user_id = ${id} OR subject_id = ${String(id)})`,
  );
  return rows.length;
}

describe("a passkey", () => {
  test("is added, listed, renamed and removed by its owner, who gets a mail", async () => {
    const { person, id } = await withPasskey();
    const [first] = expectStatus(await person.get(passkeysPath), 200).list;
    expect(first).toMatchObject({ id, name: "Midman", lastUsedAt: null, copied: false });
    const named = expectStatus(await person.patch(`${passkeysPath}/${id}`, { name: "  Work phone " }), 200);
    expect(named.body.passkey).toMatchObject({ id, name: "Work phone" });
    expectStatus(await person.delete(`${passkeysPath}/${id}`), 200);
    expect(expectStatus(await person.get(passkeysPath), 200).list).toEqual([]);
    refused(await person.delete(`${passkeysPath}/${id}`), "PASSKEY_NOT_FOUND", 404);
    refused(await person.patch(`${passkeysPath}/${id}`, { name: "x" }), "PASSKEY_NOT_FOUND", 404);
    expect(await noticesOf(person)).toBe(2);
    for (const action of ["passkey_added", "passkey_renamed", "passkey_removed"]) {
      expect([action, await logged(action, person)]).toEqual([action, 1]);
    }
  });

  test("is offered where a password is asked for again, to people who have none", async () => {
    const offer = `href="/settings/passkeys/new?next=${encodeURIComponent("/settings#data")}"`;
    const page = async (who: Client) =>
      (await who.get(`/settings/confirm?next=${encodeURIComponent("/settings#data")}`)).text;
    expect(await page(await registerPerson(server))).toContain(offer);
    expect(await page((await withPasskey()).person)).not.toContain("/settings/passkeys/new");
  });

  test("is not offered again on the way to one", async () => {
    const person = await registerPerson(server);
    await ageLogins(person);
    const sent = await person.get(`/settings/passkeys/new?next=${encodeURIComponent("/settings#data")}`);
    const asked = sent.headers.get("location") ?? "";
    expect(asked).toStartWith("/settings/confirm?next=%2Fsettings%2Fpasskeys%2Fnew%3F");
    const { status, text } = await person.get(asked);
    expect([status, text.includes('href="/settings/passkeys/new')]).toEqual([200, false]);
    const bare = await person.get("/settings/confirm?next=%2Fsettings%2Fpasskeys%2Fnew");
    expect([bare.status, bare.text.includes('href="/settings/passkeys/new')]).toEqual([200, false]);
  });

  test("is made only for this host, discoverable, with user verification, and without the maker's name", async () => {
    const person = await registerPerson(server);
    const { body } = expectStatus(await person.post(`${passkeysPath}/options`), 200);
    expect(body.options).toMatchObject({
      rp: { name: "Midman", id: "127.0.0.1" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const options = body.options as { challenge: string; user: { id: string } };
    expect(Buffer.from(options.challenge, "base64url")).toHaveLength(32);
    expect(Buffer.from(options.user.id, "base64url")).toHaveLength(32);
    const asked = expectStatus(
      await server.client().post("/api/auth/passkey/options", { door: "login" }),
      200,
    );
    expect(asked.body.options).toMatchObject({
      rpId: "127.0.0.1",
      userVerification: "required",
      allowCredentials: [],
    });
    expect(asked.headers.getSetCookie().join()).toMatch(/midman-passkey=[\w-]{43};.*HttpOnly/);
  });

  test("signs in without a name, once per challenge, and counts as a fresh login", async () => {
    const { person, key, id } = await withPasskey();
    const browser = server.client();
    const credential = await signForLogin(browser, key);
    const entered = expectStatus(await browser.post("/api/auth/passkey", { credential }), 200);
    expect(entered.body.user).toMatchObject({ id: person.id });
    expectStatus(await browser.post(`${passkeysPath}/options`), 200);
    expectMatch((await browser.get(passkeysPath)).list[0], { id, lastUsedAt: expect.any(String) });
    refused(await browser.post("/api/auth/passkey", { credential }));
  });

  test("needs no code with a second factor on, because it is two factors", async () => {
    const { person, key } = await withPasskey();
    await turnFactorOn(person);
    const browser = server.client();
    expectStatus(await enterWithPasskey(browser, key), 200);
    expect(await signedIn(browser)).toBe(true);
  });

  test("confirms the person again and replaces the session token", async () => {
    const { person, key } = await withPasskey();
    await ageLogins(person);
    refused(await person.post(`${passkeysPath}/options`), "REAUTH_REQUIRED", 403);
    const before = person.cookies();
    expectStatus(
      await person.post("/api/auth/confirm-passkey", { credential: await signForConfirmation(person, key) }),
      200,
    );
    expectStatus(await person.post(`${passkeysPath}/options`), 200);
    expect(await signedIn(server.client({ Cookie: before }))).toBe(false);
    expect(await logged("passkey_confirmed", person)).toBe(1);
  });

  test("removed, no longer signs in, and its other sessions end", async () => {
    const { person, key, id } = await withPasskey();
    const [phone, desk] = [server.client(), server.client()];
    expectStatus(await enterWithPasskey(phone, key), 200);
    expectStatus(
      await desk.post("/api/auth/login", { username: person.username, password: person.password }),
      200,
    );
    expectStatus(await person.delete(`${passkeysPath}/${id}`), 200);
    expect([await signedIn(phone), await signedIn(desk), await signedIn(person)]).toEqual([
      false,
      true,
      true,
    ]);
    refused(await enterWithPasskey(phone, key));
  });

  test("is deleted with its account, and is in its owner's data", async () => {
    const { person, key, id } = await withPasskey();
    const data = expectStatus(await person.get("/api/users/me/data"), 200).body;
    expect(data.passkeys).toMatchObject([{ id, name: "Midman" }]);
    expect(JSON.stringify(data)).not.toContain(key.held[0]?.id ?? "no id");
    expectStatus(
      await person.send("DELETE", "/api/users/me", {
        password: person.password,
        confirmation: person.username,
      }),
      200,
    );
    refused(await enterWithPasskey(server.client(), key));
    const left = await db().execute(sql`SELECT 1 FROM identity.passkeys WHERE user_id = ${person.id}`);
    expect(left.length).toBe(0);
  });

  test("is limited to ten per person, with names of at most forty visible letters", async () => {
    const { person, id } = await withPasskey();
    const key = device();
    const late = await createCredential(person, key);
    await db().execute(sql`
      INSERT INTO identity.passkeys (user_id, user_handle, credential_id, public_key, counter, name, created_at)
      SELECT ${person.id}, repeat('a', 43), ${crypto.randomUUID()} || n, 'x', 0, 'x', now() FROM generate_series(1, 9) n`);
    refused(await person.post(passkeysPath, { credential: late }), "PASSKEYS_FULL", 409);
    refused(await person.post(`${passkeysPath}/options`), "PASSKEYS_FULL", 409);
    for (const name of ["", "   ", "x".repeat(41), "a\u202eb", "a\u0000b"]) {
      refused(await person.patch(`${passkeysPath}/${id}`, { name }), "VALIDATION");
    }
  });

  test("of someone else cannot be read, renamed, removed or used", async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    refused(
      await other.person.patch(`${passkeysPath}/${one.id}`, { name: "mine" }),
      "PASSKEY_NOT_FOUND",
      404,
    );
    refused(await other.person.delete(`${passkeysPath}/${one.id}`), "PASSKEY_NOT_FOUND", 404);
    const options = expectStatus(await other.person.post("/api/auth/confirm-passkey/options"), 200).body
      .options;
    const borrowed = one.key.get(options as never);
    refused(await other.person.post("/api/auth/confirm-passkey", { credential: borrowed }));
    expect((await one.person.get(passkeysPath)).list).toHaveLength(1);
    const none = await registerPerson(server);
    refused(await none.post("/api/auth/confirm-passkey/options"));
  });
});

const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** Every lie, which one answer refuses. */
const lies: Record<string, Lies> = {
  "another origin": { origin: "https://midman.example" },
  "our origin at another port": { origin: "http://127.0.0.1:1" },
  "another host": { rpId: "midman.example" },
  "a challenge of its own": { challenge: Buffer.alloc(32, 7).toString("base64url") },
  "the other ceremony": { type: "webauthn.get" },
  "a person who was not verified": { verified: false },
  "a person who was not there": { present: false, verified: false },
};

describe("a lying client is refused, with the same text and nothing stored", () => {
  test.each(Object.entries(lies))("adding: %s", async (_, lie) => {
    const person = await registerPerson(server);
    const credential = await createCredential(person, device(), lie);
    refused(await person.post(passkeysPath, { credential }));
    expect((await person.get(passkeysPath)).list).toEqual([]);
    expect([await noticesOf(person), await logged("passkey_failed", person)]).toEqual([0, 1]);
  });

  const signing: Record<string, Lies> = {
    ...lies,
    "the other ceremony": { type: "webauthn.create" },
    "a key of its own": { key: stranger },
    "a handle of somebody else": { userHandle: Buffer.alloc(32, 7).toString("base64url") },
    "a passkey that nobody has": { id: Buffer.alloc(16, 7).toString("base64url") },
  };

  test.each(Object.entries(signing))("signing in and confirming: %s", async (name, lie) => {
    const { person, key } = await withPasskey();
    const browser = server.client();
    const reply = await enterWithPasskey(browser, key, lie);
    refused(reply);
    expect(reply.body.message).toBe(translateText("en", "errors.PASSKEY_FAILED"));
    expect(await signedIn(browser)).toBe(false);
    refused(
      await person.post("/api/auth/confirm-passkey", {
        credential: await signForConfirmation(person, key, lie),
      }),
    );
    expectStatus(await enterWithPasskey(browser, key), 200);
    expect([name, await logged("passkey_failed", person)]).not.toEqual([name, 0]);
  });

  test("one's signature with someone else's passkey", async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const { id = "", userHandle = "" } = one.key.held[0] ?? {};
    refused(await enterWithPasskey(server.client(), other.key, { id, userHandle }));
    refused(await enterWithPasskey(server.client(), other.key, { id }));
  });

  test("a registered passkey cannot be added by another person", async () => {
    const { key, person } = await withPasskey();
    const thief = await registerPerson(server);
    const { id = "" } = key.held[0] ?? {};
    const credential = await createCredential(thief, device(), { id });
    refused(await thief.post(passkeysPath, { credential }));
    const entered = expectStatus(await enterWithPasskey(server.client(), key), 200);
    expect(entered.body.user).toMatchObject({ id: person.id });
  });

  test("a challenge made for another browser, another purpose, or five minutes ago", async () => {
    const { person, key } = await withPasskey();
    const [one, other] = [server.client(), server.client()];
    const credential = await signForLogin(one, key);
    refused(await server.client().post("/api/auth/passkey", { credential }));
    await signForLogin(other, key);
    refused(await other.post("/api/auth/passkey", { credential }));
    const proof = await signForConfirmation(person, key);
    refused(await person.post("/api/auth/passkey", { credential: proof }));
    const late = await signForLogin(one, key);
    await db().execute(sql`
      UPDATE identity.passkey_challenges
      SET created_at = created_at - interval '5 minutes', expires_at = expires_at - interval '5 minutes'`);
    refused(await one.post("/api/auth/passkey", { credential: late }));
  });

  test("a challenge is used up by a wrong response too, and by one of two at once", async () => {
    const { key } = await withPasskey();
    const browser = server.client();
    const right = await signForLogin(browser, key);
    const wrong = { ...right, response: { ...right.response, signature: "AAAA" } };
    refused(await browser.post("/api/auth/passkey", { credential: wrong }));
    refused(await browser.post("/api/auth/passkey", { credential: right }));
    const again = await signForLogin(browser, key);
    const cookie = browser.cookies();
    const both = await Promise.all(
      [1, 2].map(() => server.client({ Cookie: cookie }).post("/api/auth/passkey", { credential: again })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("meaningless bytes", async () => {
    const { person, key } = await withPasskey();
    const good = await signForLogin(server.client(), key);
    const fields = ["clientDataJSON", "authenticatorData", "signature"] as const;
    for (const field of fields) {
      const browser = server.client();
      await signForLogin(browser, key);
      const credential = { ...good, response: { ...good.response, [field]: "AAAA" } };
      refused(await browser.post("/api/auth/passkey", { credential }));
      const shapeless = { ...good, response: { ...good.response, [field]: "?" } };
      refused(await browser.post("/api/auth/passkey", { credential: shapeless }), "VALIDATION");
    }
    const made = await createCredential(person, device());
    const credential = { ...made, response: { ...made.response, attestationObject: "oWM" } };
    refused(await person.post(passkeysPath, { credential }));
  });
});

describe("a copied authenticator", () => {
  test("is refused when its counter goes back: its passkey is disabled, its sessions end, and its owner gets one mail", async () => {
    const { person, key, id } = await withPasskey({ counts: true });
    const [phone, copy] = [server.client(), server.client()];
    expectStatus(await enterWithPasskey(phone, key), 200);
    refused(await enterWithPasskey(copy, key, { counter: 2 }));
    expect([await signedIn(phone), await signedIn(person)]).toEqual([false, false]);
    refused(await enterWithPasskey(phone, key));
    const entry = { username: person.username, password: person.password };
    expectStatus(await phone.post("/api/auth/login", entry), 200);
    expect((await phone.get(passkeysPath)).list[0]).toMatchObject({ id, copied: true });
    refused(await phone.post("/api/auth/confirm-passkey/options"));
    expect([await noticesOf(person), await logged("passkey_copied", person)]).toEqual([2, 1]);
    expectStatus(await phone.delete(`${passkeysPath}/${id}`), 200);
  });

  test("is not assumed without the key: a lower counter without a valid signature disables nothing", async () => {
    const { person, key } = await withPasskey({ counts: true });
    expectStatus(await enterWithPasskey(server.client(), key), 200);
    refused(await enterWithPasskey(server.client(), key, { counter: 1, key: stranger }));
    expectStatus(await enterWithPasskey(server.client(), key), 200);
    expect(await noticesOf(person)).toBe(1);
  });
});

describe("administrators", () => {
  test("have a login that admits no one else", async () => {
    const { person, key } = await withPasskey();
    refused(await enterWithPasskey(server.client(), key, {}, "admin_login"));
    await setRight(person.id, true);
    const entered = expectStatus(await enterWithPasskey(server.client(), key, {}, "admin_login"), 200);
    expect(entered.body.user).toMatchObject({ id: person.id, isAdmin: true });
    await setRight(person.id, false);
  });

  test("suspend a person, whose passkey login then shows why and until when, by call and by page", async () => {
    const { person, key } = await withPasskey();
    const admin = await signInAdministrator(server);
    const until = daysAfter(formatDay(new Date()), 7);
    const decision = { kind: "suspend", cause: "fraud", note: "Two reports", until };
    expectStatus(await admin.post(`/api/admin/users/${person.id}/restriction`, decision), 200);
    const said = translateText("en", "identity.suspended.until.fraud", { until });
    const reply = await enterWithPasskey(server.client(), key);
    refused(reply, "ACCOUNT_SUSPENDED", 403);
    expect(reply.body.message).toBe(said);
    const browser = server.client();
    const credential = JSON.stringify(await signForLogin(browser, key));
    const page = await postForm(browser, "/", { form: "passkey", credential });
    expect([page.status, visibleText(page.text).includes(visibleText(said))]).toEqual([403, true]);
    // As the password's refusal does, it says how to be heard.
    expect(visibleText(page.text)).toContain(translateText("en", "auth.suspendedHelp"));
    expect(page.text).toContain('href="/support?topic=account#write"');
    expect(await signedIn(browser)).toBe(false);
    const sessions = await db().execute(sql`SELECT 1 FROM identity.sessions WHERE user_id = ${person.id}`);
    expect([sessions.length, await logged("login_failed", person)]).toEqual([0, 2]);
  });

  test("remove all passkeys of an account whose owner lost them; every session ends and a mail says so", async () => {
    const { person, key } = await withPasskey();
    const admin = await signInAdministrator(server);
    const at = `/admin/users/${person.id}`;
    expect((await admin.get(at)).text.includes("passkeys-off")).toBe(true);
    expect((await postForm(admin, at, { form: "passkeys-off" })).headers.get("location")).toBe(at);
    expect(await signedIn(person)).toBe(false);
    refused(await enterWithPasskey(server.client(), key));
    expect(await noticesOf(person)).toBe(2);
    expect((await admin.get(at)).text.includes("passkeys-off")).toBe(false);
    const member = await registerPerson(server);
    const turned = await postForm(member, at, { form: "passkeys-off" });
    expect(turned.headers.get("location")).toStartWith("/admin/login");
  });
});

describe("with real money", () => {
  let real: Server;

  beforeAll(async () => {
    const access = {
      QPAY_BASE_URL: `http://127.0.0.1:${await freePort()}/v2`,
      ...{ QPAY_USERNAME: "m", QPAY_PASSWORD: "m", QPAY_INVOICE_CODE: "M" },
    };
    real = await startServer({ environment: { ...access, ALLOW_SANDBOX: "false" } });
  }, 120_000);
  afterAll(() => real?.stop());

  test("an administrator with a passkey needs no second factor, and their password alone opens nothing", async () => {
    const work = "/api/admin/users";
    const first = await signInAdministrator(real);
    refused(await first.get(work), "SECOND_FACTOR_SETUP_REQUIRED", 403);
    const key = createAuthenticator(real.url);
    const id = await addPasskey(first, key);
    expectStatus(await first.get(work), 200);

    const byPassword = await signInAdministrator(real);
    refused(await byPassword.get(work), "PASSKEY_REQUIRED", 403);
    // Nor does it set up another factor, take the passkey off, or count as a fresh login once more.
    for (const reply of [
      await byPassword.post("/api/users/me/second-factor"),
      await byPassword.post(`${passkeysPath}/options`),
      await byPassword.delete(`${passkeysPath}/${id}`),
    ]) {
      refused(reply, "REAUTH_REQUIRED", 403);
    }
    expectStatus(
      await byPassword.post("/api/auth/confirm-password", { password: "the one who pays out" }),
      200,
    );
    refused(await byPassword.get(work), "PASSKEY_REQUIRED", 403);
    const page = await byPassword.get("/admin");
    expect(page.headers.get("location")).toBe("/settings/confirm?next=%2Fadmin");
    const credential = await signForConfirmation(byPassword, key);
    expectStatus(await byPassword.post("/api/auth/confirm-passkey", { credential }), 200);
    expectStatus(await byPassword.get(work), 200);

    const byPasskey = real.client();
    expectStatus(await enterWithPasskey(byPasskey, key, {}, "admin_login"), 200);
    expectStatus(await byPasskey.get(work), 200);
    expectStatus(await byPasskey.delete(`${passkeysPath}/${id}`), 200);
    refused(await byPasskey.get(work), "SECOND_FACTOR_SETUP_REQUIRED", 403);
  });
});
