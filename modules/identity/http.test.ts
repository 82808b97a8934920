import { afterEach, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { config, overrideConfig } from "#config";
import { drainJobs } from "#db/jobs";
import { listMail } from "#modules/mailer";
import { useDatabase } from "../../tests/support/database/test-database.ts";
import { expectMatch } from "../../tests/support/expect-match.ts";
import { identityRoutes } from "./http.ts";
import { anAdmin, application, someone } from "./lib/core/people.fixture.ts";
import type { UserView } from "./lib/core/responses.ts";

useDatabase();
const { PUBLIC_URL } = config();
afterEach(() => overrideConfig({ PUBLIC_URL }));

const app = new Elysia().use(identityRoutes);

type Body = Record<string, unknown>;

/** The user in a reply. */
const userIn = (reply: { body: Body }) => reply.body.user as UserView;

async function call(method: string, path: string, body?: unknown, token?: string, name = "midman-session") {
  const headers = new Headers({ "accept-language": "en" });
  if (token !== undefined) headers.set("cookie", `${name}=${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  const payload = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const reply = await app.handle(new Request(`http://localhost${path}`, { method, headers, ...payload }));
  const text = await reply.text();
  return {
    status: reply.status,
    cookies: reply.headers.getSetCookie(),
    body: (text.startsWith("{") ? JSON.parse(text) : {}) as Body,
  };
}

const tokenIn = (cookies: string[]) => /^midman-session=([\w-]{43});/.exec(cookies[0] ?? "")?.[1] ?? "";
const view = {
  phoneNumber: null,
  bankAccount: null,
  isAdmin: false,
  avatarInitials: "BB",
  displayName: "Bat Bold",
};

describe("the calls of identity", () => {
  test("register answers the user and sets the cookie", async () => {
    const input = application();
    const reply = await call("POST", "/api/auth/register", { ...input, avatarInitials: "" });
    expect(reply.status).toBe(200);
    expectMatch(reply.body, {
      success: true,
      message: "Your account has been created",
      user: { ...view, id: expect.any(Number), username: input.username, email: input.email },
    });
    expect(new Date(userIn(reply).createdAt).toISOString()).toBe(userIn(reply).createdAt);
    expect(reply.body.user).not.toHaveProperty("passwordHash");
    expect(reply.cookies[0]).toContain("; Path=/; ");
    expect(reply.cookies[0]).toContain("HttpOnly");
    expect(reply.cookies[0]).toContain("SameSite=Lax");
    expect(reply.cookies[0]).not.toContain("Secure");
    const session = await call("GET", "/api/auth/session", undefined, tokenIn(reply.cookies));
    expect(session.body).toEqual({ isAuthenticated: true, user: reply.body.user });
  });

  test("on https the cookie is bound to the host", async () => {
    overrideConfig({ PUBLIC_URL: "https://midman.example" });
    const reply = await call("POST", "/api/auth/register", application());
    expect(reply.cookies[0]).toStartWith("__Host-midman-session=");
    expect(reply.cookies[0]).toContain("Secure");
    const token = /=([\w-]{43});/.exec(reply.cookies[0] ?? "")?.[1];
    const own = await call("GET", "/api/auth/user", undefined, token, "__Host-midman-session");
    expect(own.body.id).toBe(userIn(reply).id);
    expect((await call("GET", "/api/auth/user", undefined, token)).body.code).toBe("AUTH_REQUIRED");
  });

  test("register refuses what is taken, common or wrong", async () => {
    const person = await someone();
    const post = (parts: object) => call("POST", "/api/auth/register", { ...application(), ...parts });
    expect((await post({ email: person.email })).body).toMatchObject({ ok: false, code: "EMAIL_EXISTS" });
    expect((await post({ username: person.username })).body).toMatchObject({ code: "USERNAME_EXISTS" });
    expect((await post({ password: "123456" })).body).toMatchObject({ code: "PASSWORD_COMMON" });
    const wrong = await post({ username: "a" });
    expect(wrong.status).toBe(422);
    expect(JSON.stringify(wrong.body)).toContain("validation.username");
    expect(wrong.cookies).toEqual([]);
  });

  test("login answers the user, sets another cookie and ends the old session", async () => {
    const person = await someone();
    const { username, password } = person;
    const reply = await call("POST", "/api/auth/login", { username, password }, person.token);
    expect(reply.body).toMatchObject({ success: true, message: "Login successful", user: { id: person.id } });
    const token = tokenIn(reply.cookies);
    expect(token).not.toBe(person.token);
    expect((await call("GET", "/api/auth/session", undefined, person.token)).body.isAuthenticated).toBe(
      false,
    );
    expect((await call("GET", "/api/auth/user", undefined, token)).body).toMatchObject({
      ...view,
      id: person.id,
    });
    const wrong = await call("POST", "/api/auth/login", { username, password: "not the word" });
    expect(wrong.body).toEqual({ ok: false, code: "INVALID_CREDENTIALS" });
    expect(wrong.cookies).toEqual([]);
  });

  test("the administrators' login is theirs alone; is-admin tells who is one", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const enter = ({ username, password }: { username: string; password: string }) =>
      call("POST", "/api/admin/login", { username, password });
    const reply = await enter(admin);
    expect(reply.body).toMatchObject({ success: true, message: "Login successful", user: { isAdmin: true } });
    expect((await enter(person)).body).toEqual({ ok: false, code: "ADMIN_CREDENTIALS" });
    const isAdmin = async (token?: string) =>
      (await call("GET", "/api/auth/is-admin", undefined, token)).body;
    expect(await isAdmin(tokenIn(reply.cookies))).toEqual({ isAdmin: true });
    expect(await isAdmin(person.token)).toEqual({ isAdmin: false });
    expect(await isAdmin()).toEqual({ isAdmin: false });
  });

  test("a visitor is nobody", async () => {
    expect((await call("GET", "/api/auth/session")).body).toEqual({ isAuthenticated: false, user: null });
    expect((await call("GET", "/api/auth/user")).body).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    for (const path of ["/api/users/profile", "/api/user/profile"]) {
      expect((await call("PATCH", path, { phoneNumber: "99112233" })).body.code).toBe("AUTH_REQUIRED");
    }
  });

  test("logout takes the cookie back and ends the session; again it does no harm", async () => {
    const person = await someone();
    for (let time = 0; time < 2; time++) {
      const reply = await call("POST", "/api/auth/logout", undefined, person.token);
      expect(reply.body).toEqual({ success: true, message: "Logged out" });
      expect(reply.cookies[0]).toStartWith("midman-session=;");
      expect(reply.cookies[0]).toContain("Max-Age=0");
      expect((await call("GET", "/api/auth/session", undefined, person.token)).body.isAuthenticated).toBe(
        false,
      );
    }
  });

  test("the profile is saved under both of its paths", async () => {
    const person = await someone();
    for (const path of ["/api/users/profile", "/api/user/profile"]) {
      const reply = await call("PATCH", path, { phoneNumber: "9911 2233", bankAccount: path }, person.token);
      expect(reply.body).toMatchObject({
        success: true,
        message: "Profile updated",
        user: { phoneNumber: "9911 2233", bankAccount: path },
      });
    }
    const wrong = await call("PATCH", "/api/users/profile", { phoneNumber: 5 }, person.token);
    expect(wrong.status).toBe(422);
  });

  test("forgot and reset go by the mail, and forgot says the same of nobody", async () => {
    const person = await someone();
    const ask = (email: string) => call("POST", "/api/auth/forgot-password", { email });
    const known = await ask(person.email);
    expect(known.body).toEqual({
      success: true,
      message: "If an account with this email exists, it will get a password reset link.",
    });
    expect((await ask(application().email)).body).toEqual(known.body);
    await drainJobs(new Date(Date.now() + 60_000));
    const box = await listMail({ to: person.email });
    const link = box.ok && box.mails[0]?.links.find((one) => one.includes("/reset-password?token="));
    const token = new URL(link || "http://x").searchParams.get("token");
    const reset = () =>
      call("POST", "/api/auth/reset-password", { token, newPassword: "another word" }, person.token);
    const reply = await reset();
    expect(reply.body).toEqual({ success: true, message: "Password Reset Successful" });
    expect(reply.cookies[0]).toContain("Max-Age=0");
    expect((await reset()).body).toEqual({ ok: false, code: "RESET_LINK_INVALID" });
  });

  test("an address is verified and a password changed and confirmed", async () => {
    const person = await someone();
    const wrong = await call("POST", "/api/auth/verify-email", { token: "x" });
    expect(wrong.body).toEqual({ ok: false, code: "VERIFICATION_LINK_INVALID" });
    const resent = await call("POST", "/api/auth/resend-verification", undefined, person.token);
    expect(resent.body.success).toBe(true);
    const change = { currentPassword: person.password, newPassword: "another word" };
    const changed = await call("POST", "/api/auth/change-password", change, person.token);
    expect(changed.body).toEqual({ success: true, message: "Your password has been changed" });
    const token = tokenIn(changed.cookies);
    const confirmed = await call("POST", "/api/auth/confirm-password", { password: "another word" }, token);
    expect(confirmed.body.success).toBe(true);
    expect((await call("GET", "/api/auth/user", undefined, token)).body.code).toBe("AUTH_REQUIRED");
    const own = await call("GET", "/api/auth/user", undefined, tokenIn(confirmed.cookies));
    expect(own.body.id).toBe(person.id);
  });

  test("garbage is refused by every call that takes something, and changes nothing", async () => {
    const person = await someone();
    const calls = [
      ["POST", "/api/auth/login"],
      ["POST", "/api/admin/login"],
      ["POST", "/api/auth/register"],
      ["POST", "/api/auth/forgot-password"],
      ["POST", "/api/auth/reset-password"],
      ["POST", "/api/auth/verify-email"],
      ["POST", "/api/auth/change-password"],
      ["POST", "/api/auth/confirm-password"],
      ["PATCH", "/api/users/profile"],
      ["PATCH", "/api/user/profile"],
    ] as const;
    const every = (value: unknown) =>
      Object.fromEntries(
        [
          ...["username", "password", "email", "displayName", "avatarInitials", "token", "newPassword"],
          ...["currentPassword", "phoneNumber", "bankAccount", "language"],
        ].map((name) => [name, value]),
      );
    const values: unknown[] = [
      [],
      {},
      1,
      true,
      "a\u0000b",
      "x".repeat(50_000),
      [["deep"]],
      { toString: "x" },
    ];
    const bodies = [...values.map(every), "[]", "null", '"text"', "{", '{"a":'];
    for (const [method, path] of calls) {
      for (const body of bodies) {
        const { status } = await call(method, path, body, person.token);
        expect([path, body, status >= 400 && status < 500]).toEqual([path, body, true]);
      }
    }
    const own = await call("GET", "/api/auth/user", undefined, person.token);
    expect(own.body).toMatchObject({ phoneNumber: null, bankAccount: null });
  });
});
