import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { setRight } from "../../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../../support/people/registered-people.ts";
import type { Client, Reply } from "../../support/server/http-client.ts";
import { type Server, startServer, testAdministrator } from "../../support/server/midman-server.ts";
import { type PushService, startPushService } from "../../support/services/push-service.ts";

/** What the calls of people's own accounts answer and refuse, as their document says. */

setDefaultTimeout(120_000);

let server: Server;
let service: PushService;
let admin: Client;

beforeAll(async () => {
  service = startPushService();
  // Nobody listens where mail should go.
  server = await startServer({ environment: { PUSH_HOSTS: service.host, SMTP_URL: "smtp://127.0.0.1:9" } });
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
  service?.stop();
});

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function refuses(reply: Promise<Reply>, code: string): Promise<void> {
  expect((await reply).body?.code).toBe(code);
}

/** The token that the last mail of a kind to somebody carries, once a job has made it: it waits in the outbox, since nobody takes it. */
async function tokenMailedTo({ id }: Person, kind: "passwordReset" | "accountVerification"): Promise<string> {
  for (let n = 0; n < 200; n++, await Bun.sleep(50)) {
    const [row] = await db().execute<{ data: { url: string } }>(
      sql`SELECT data FROM mailer.messages WHERE user_id = ${id} AND template = ${kind} ORDER BY id DESC LIMIT 1`,
    );
    if (row !== undefined) return new URL(row.data.url, "http://x").searchParams.get("token") ?? "";
  }
  throw new Error(`no ${kind} waits for user ${id}`);
}

describe("an outdated name", () => {
  test("is replaced, and nobody takes another's", async () => {
    const [person, other] = [await registerPerson(server), await registerPerson(server)];
    expectStatus(await person.post("/api/auth/choose-name", { displayName: "Zaya" }), 200);
    await db().execute(sql`
      UPDATE identity.users SET username = 'Admin.Team', username_key = 'admin.team', display_name = 'evil.mn'
      WHERE id = ${person.id}`);
    const own = expectStatus(await person.get("/api/auth/user"), 200).body;
    expect([own.username, own.mustChooseName]).toEqual(["Admin.Team", true]);
    const choose = (body: object) => person.post("/api/auth/choose-name", body);
    await refuses(choose({ displayName: "Zaya", username: other.username }), "USERNAME_EXISTS");
    await refuses(choose({ displayName: "Zaya" }), "VALIDATION");
    await refuses(choose({ displayName: "www.evil", username: "zaya_1" }), "VALIDATION");
    await db().execute(sql`UPDATE identity.users SET must_change_password = true WHERE id = ${person.id}`);
    await refuses(choose({ displayName: "Zaya", username: "zaya_1" }), "PASSWORD_CHANGE_REQUIRED");
    await db().execute(sql`UPDATE identity.users SET must_change_password = false WHERE id = ${person.id}`);
    const done = expectStatus(await choose({ displayName: "Zaya", username: "zaya_1" }), 200).body;
    expect(done.user).toMatchObject({ username: "zaya_1", displayName: "Zaya", mustChooseName: false });
    await refuses(server.client().post("/api/auth/choose-name", {}), "AUTH_REQUIRED");
    expectStatus(await person.get("/api/chat/rooms"), 200);
  });
});

describe("signing in and up", () => {
  test("a name and an address belong to one person; a common password is refused", async () => {
    const { username, email } = await registerPerson(server);
    const fresh = {
      username: "somebody_else",
      password: "a long password",
      displayName: "Bat",
      email: "x@example.mn",
    };
    const visitor = server.client();
    await refuses(visitor.post("/api/auth/register", { ...fresh, email }), "EMAIL_EXISTS");
    await refuses(visitor.post("/api/auth/register", { ...fresh, username }), "USERNAME_EXISTS");
    await refuses(visitor.post("/api/auth/register", { ...fresh, password: "123456" }), "PASSWORD_COMMON");
  });

  test("the administrators' login is theirs", async () => {
    const { username, password } = await registerPerson(server);
    await refuses(server.client().post("/api/admin/login", { username, password }), "ADMIN_CREDENTIALS");
  });

  test("mailed links work once, and invented ones never", async () => {
    const person = await registerPerson(server);
    const visitor = server.client();
    expectStatus(await visitor.post("/api/auth/forgot-password", { email: person.email }), 200);
    const token = await tokenMailedTo(person, "passwordReset");
    const reset = (newPassword: string, by = token) =>
      visitor.post("/api/auth/reset-password", { token: by, newPassword });
    await refuses(reset("123456"), "PASSWORD_COMMON");
    await refuses(reset("a long password", "x".repeat(43)), "RESET_LINK_INVALID");
    await setRight(person.id, true);
    await refuses(reset("shorter"), "PASSWORD_SHORT_FOR_ADMIN");
    await setRight(person.id, false);
    expectStatus(await reset("a long password"), 200);
    await refuses(reset("a long password"), "RESET_LINK_INVALID");
    const other = await registerPerson(server);
    expectStatus(await other.post("/api/auth/resend-verification"), 200);
    await refuses(
      other.post("/api/auth/verify-email", { token: "x".repeat(43) }),
      "VERIFICATION_LINK_INVALID",
    );
    expectStatus(
      await other.post("/api/auth/verify-email", {
        token: await tokenMailedTo(other, "accountVerification"),
      }),
      200,
    );
  });
});

describe("a password", () => {
  test("is changed and confirmed only by someone who knows it", async () => {
    const person = await registerPerson(server);
    const change = (currentPassword: string, newPassword: string) =>
      person.post("/api/auth/change-password", { currentPassword, newPassword });
    await refuses(change("not the password", "a long password"), "PASSWORD_WRONG");
    await refuses(change(person.password, "123456"), "PASSWORD_COMMON");
    await refuses(person.post("/api/auth/confirm-password", { password: "no" }), "PASSWORD_WRONG");
    expectStatus(await person.post("/api/auth/confirm-password", { password: person.password }), 200);
    await db().execute(sql`UPDATE identity.users SET must_change_password = true WHERE id = ${person.id}`);
    await refuses(change(person.password, person.password), "PASSWORD_UNCHANGED");
    expectStatus(await change(person.password, "a long password"), 200);
    await refuses(
      admin.post("/api/auth/change-password", {
        currentPassword: testAdministrator.password,
        newPassword: "short one",
      }),
      "PASSWORD_SHORT_FOR_ADMIN",
    );
  });

  test("deletes an account, and never the last administrator's", async () => {
    const person = await registerPerson(server);
    const gone = (who: Client, password: string, confirmation: string) =>
      who.send("DELETE", "/api/users/me", { password, confirmation });
    await refuses(gone(person, "no", person.username), "PASSWORD_WRONG");
    await refuses(gone(person, person.password, "x"), "CONFIRMATION_MISMATCH");
    await refuses(gone(admin, testAdministrator.password, testAdministrator.username), "LAST_ADMIN");
    expectStatus(await gone(person, person.password, person.username), 200);
  });
});

describe("a second factor", () => {
  test("is set up, required, renewed and removed", async () => {
    const person = await registerPerson(server);
    const at = "/api/users/me/second-factor";
    await refuses(person.post(`${at}/confirm`, { code: "123456" }), "SECOND_FACTOR_NOT_BEGUN");
    await refuses(person.post(`${at}/recovery-codes`), "SECOND_FACTOR_OFF");
    const { secret } = expectStatus(await person.post(at), 200).body as unknown as { secret: string };
    await refuses(person.post(`${at}/confirm`, { code: "000000" }), "SECOND_FACTOR_WRONG");
    expectStatus(await person.post(`${at}/confirm`, { code: codeOf(secret, -1) }), 200);
    await refuses(person.post(at), "SECOND_FACTOR_ON");
    await refuses(person.post(`${at}/confirm`, { code: "123456" }), "SECOND_FACTOR_ON");
    expectStatus(await person.post(`${at}/recovery-codes`), 200);
    await asksForIt(person, secret);
    expectStatus(await person.delete(at), 200);
  });

  async function asksForIt({ password, username, ...person }: Person, secret: string): Promise<void> {
    const again = { currentPassword: password, newPassword: "a long password" };
    const own = { password, confirmation: username };
    for (const [method, path, body] of [
      ["POST", "/api/auth/change-password", again],
      ["POST", "/api/auth/confirm-password", { password }],
      ["DELETE", "/api/users/me", own],
    ] as const) {
      await refuses(person.send(method, path, body), "SECOND_FACTOR_REQUIRED");
      await refuses(person.send(method, path, { ...body, code: "000000" }), "SECOND_FACTOR_WRONG");
    }
    const elsewhere = server.client();
    await refuses(elsewhere.post("/api/auth/second-factor", { code: "123456" }), "SIGN_IN_EXPIRED");
    await refuses(elsewhere.post("/api/auth/login", { username, password }), "SECOND_FACTOR_REQUIRED");
    await refuses(elsewhere.post("/api/auth/second-factor", { code: "000000" }), "SECOND_FACTOR_WRONG");
    expectStatus(await elsewhere.post("/api/auth/second-factor", { code: codeOf(secret) }), 200);
    await setRight(person.id, true);
    await refuses(server.client().post("/api/admin/login", { username, password }), "SECOND_FACTOR_REQUIRED");
    await setRight(person.id, false);
  }
});

describe("notifications", () => {
  test("a browser's address belongs to the owner of its keys, and is deleted with its person", async () => {
    const [one, other] = [await registerPerson(server), await registerPerson(server)];
    const own = service.browser();
    expectStatus(await one.post("/api/push/subscriptions", own), 200);
    const stolen = { ...own, keys: service.browser().keys };
    await refuses(other.post("/api/push/subscriptions", stolen), "PUSH_OF_ANOTHER");
    expectStatus(await one.delete("/api/push/subscriptions"), 200);
  });

  test("a profile is saved under its second path, and undeliverable mail is reported", async () => {
    const person = await registerPerson(server);
    expectStatus(await person.patch("/api/user/profile", { phoneNumber: "99112233" }), 200);
    await refuses(admin.post("/api/admin/test-email", { testEmail: "a@example.mn" }), "MAIL_NOT_SENT");
    const trial = { testEmail: "a@example.mn", templateType: "welcome" };
    await refuses(admin.post("/api/admin/email-templates/test", trial), "MAIL_NOT_SENT");
  });

  test("an administrator deletes neither the last one nor themselves", async () => {
    const other = await registerPerson(server);
    await setRight(other.id, true);
    await refuses(other.delete(`/api/admin/users/${other.id}`), "OWN_ACCOUNT");
    await setRight(other.id, false);
  });
});

describe("rooms", () => {
  test("are joined, changed and deleted by the people allowed to", async () => {
    const [creator, second, third] = await Promise.all([
      registerPerson(server),
      registerPerson(server),
      registerPerson(server),
    ]);
    const { id, inviteCode } = expectStatus(
      await creator.post("/api/chat/rooms", { name: "A room" }),
      201,
    ).body;
    await refuses(second.post("/api/chat/join", { code: "AAAAAAAAAA" }), "INVITE_INVALID");
    await refuses(creator.post("/api/transactions", { chatRoomId: id, amount: 50_000 }), "SEATS_EMPTY");
    expectStatus(await second.post("/api/chat/join", { code: inviteCode }), 200);
    await refuses(third.post("/api/chat/join", { code: inviteCode }), "ROOM_FULL");
    await refuses(second.delete(`/api/chat/rooms/${id}`), "ROOM_CREATOR_ONLY");
    const role = (who: Client, whose: number) =>
      who.post(`/api/chat/rooms/${id}/participants/${whose}/role`, { role: "seller" });
    await refuses(role(second, second.id), "ROLE_CREATOR_ONLY");
    await refuses(role(creator, third.id), "USER_NOT_FOUND");
    expectStatus(await role(creator, second.id), 200);
    expectStatus(await role(creator, creator.id), 200);
    const sold = (more: object) =>
      creator.post("/api/transactions", { chatRoomId: id, amount: 50_000, ...more });
    await refuses(sold({ sellerId: second.id }), "SELLER_MISMATCH");
    await refuses(sold({ amount: 100, feePayer: "seller" }), "NET_TOO_SMALL");
    expectStatus(await creator.post(`/api/chat/rooms/${id}/invite/renew`), 200);
    const clientId = crypto.randomUUID();
    const at = `/api/chat/rooms/${id}/messages`;
    const { seq } = expectStatus(await creator.post(at, { content: "One", clientId }), 201).body;
    await refuses(creator.post(at, { content: "Two", clientId }), "CLIENT_ID_REUSED");
    expectStatus(await second.post(`/api/chat/rooms/${id}/read`, { seq }), 200);
    const imageData = "data:image/gif;base64,R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=";
    await refuses(creator.post(`/api/chat/rooms/${id}/images`, { imageData, clientId }), "CLIENT_ID_REUSED");
    const picture = expectStatus(await creator.post(`/api/chat/rooms/${id}/images`, { imageData }), 201).body;
    const { full, small } = picture.image as { full: string; small: string };
    for (const address of [full, small]) expectStatus(await second.get(address), 200);
  });
});
