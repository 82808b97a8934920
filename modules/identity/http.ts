import { type Cookie, Elysia } from "elysia";
import { text } from "#locales";
import {
  adminLoginInput,
  changePasswordInput,
  confirmPasswordInput,
  forgotPasswordInput,
  loginInput,
  profileInput,
  registerInput,
  resetPasswordInput,
  verifyEmailInput,
} from "./forms.ts";
import type { Actor } from "./lib/actor.ts";
import { changePassword, confirmPassword } from "./lib/change-password.ts";
import { sessionCookieName, sessionCookieOptions } from "./lib/cookie.ts";
import { forgotPassword } from "./lib/forgot-password.ts";
import { adminLogin, login } from "./lib/login.ts";
import { logout } from "./lib/logout.ts";
import { profile, updateProfile } from "./lib/profile.ts";
import { register } from "./lib/register.ts";
import { resetPassword } from "./lib/reset-password.ts";
import type { OpenedSession } from "./lib/sessions.ts";
import { resendVerification, verifyEmail } from "./lib/verify-email.ts";
import { withActor } from "./lib/with-actor.ts";

type Door = { cookie: Record<string, Cookie<unknown>>; request: Request };

function hand({ cookie, request }: Door, { token, expires }: OpenedSession): void {
  cookie[sessionCookieName(request)]?.set({ ...sessionCookieOptions(request), value: token, expires });
}

function takeBack({ cookie, request }: Door): void {
  cookie[sessionCookieName(request)]?.set({ ...sessionCookieOptions(request), value: "", maxAge: 0 });
}

/** What a call answers that did what was asked: the specification's `success` and `message`. */
function done(actor: Actor, key: string) {
  return { success: true, message: text(actor.language, `identity.${key}`) };
}

const signingIn = new Elysia({ name: "identity.signing-in" })
  .use(withActor)
  .post(
    "/api/auth/login",
    async ({ actor, body, cookie, request }) => {
      const answer = await login(actor, body);
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return { ...done(actor, "loggedIn"), user: answer.user };
    },
    { body: loginInput },
  )
  .post(
    "/api/admin/login",
    async ({ actor, body, cookie, request }) => {
      const answer = await adminLogin(actor, body);
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return { ...done(actor, "loggedIn"), user: answer.user };
    },
    { body: adminLoginInput },
  )
  .post(
    "/api/auth/register",
    async ({ actor, body, cookie, request }) => {
      const answer = await register(actor, body);
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return { ...done(actor, "registered"), user: answer.user };
    },
    { body: registerInput },
  )
  .post("/api/auth/logout", async ({ actor, cookie, request }) => {
    await logout(actor);
    takeBack({ cookie, request });
    return done(actor, "loggedOut");
  });

const asking = new Elysia({ name: "identity.asking" })
  .use(withActor)
  .get("/api/auth/session", async ({ actor }) => {
    const own = await profile(actor);
    return own.ok ? { isAuthenticated: true, user: own.user } : { isAuthenticated: false, user: null };
  })
  .get("/api/auth/user", async ({ actor }) => {
    const own = await profile(actor);
    return own.ok ? own.user : own;
  })
  .get("/api/auth/is-admin", ({ actor }) => ({ isAdmin: actor.kind === "user" && actor.isAdmin }));

const passwords = new Elysia({ name: "identity.passwords" })
  .use(withActor)
  .post(
    "/api/auth/forgot-password",
    async ({ actor, body }) => {
      const answer = await forgotPassword(actor, body);
      return answer.ok ? done(actor, "resetLinkSent") : answer;
    },
    { body: forgotPasswordInput },
  )
  .post(
    "/api/auth/reset-password",
    async ({ actor, body, cookie, request }) => {
      const answer = await resetPassword(actor, body);
      if (!answer.ok) return answer;
      // Every session of that user is over; if this browser's was one of them, its cookie is of no more use.
      if (actor.kind === "user" && actor.userId === answer.userId) takeBack({ cookie, request });
      return done(actor, "passwordReset");
    },
    { body: resetPasswordInput },
  )
  .post(
    "/api/auth/change-password",
    async ({ actor, body, cookie, request }) => {
      const answer = await changePassword(actor, body);
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return done(actor, "passwordChanged");
    },
    { body: changePasswordInput },
  )
  .post(
    "/api/auth/confirm-password",
    async ({ actor, body, cookie, request }) => {
      const answer = await confirmPassword(actor, body);
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return done(actor, "passwordConfirmed");
    },
    { body: confirmPasswordInput },
  );

const account = new Elysia({ name: "identity.account" })
  .use(withActor)
  .post(
    "/api/auth/verify-email",
    async ({ actor, body }) => {
      const answer = await verifyEmail(actor, body);
      return answer.ok ? done(actor, "emailVerified") : answer;
    },
    { body: verifyEmailInput },
  )
  .post("/api/auth/resend-verification", async ({ actor }) => {
    const answer = await resendVerification(actor);
    return answer.ok ? done(actor, "verificationSent") : answer;
  })
  // The specification's client tries the second path when the first one fails.
  .patch("/api/users/profile", ({ actor, body }) => saveProfile(actor, body), { body: profileInput })
  .patch("/api/user/profile", ({ actor, body }) => saveProfile(actor, body), { body: profileInput });

async function saveProfile(actor: Actor, input: Parameters<typeof updateProfile>[1]) {
  const answer = await updateProfile(actor, input);
  return answer.ok ? { ...done(actor, "profileUpdated"), user: answer.user } : answer;
}

/** Identity's part of the API (specification §7, "Auth"). Refusals leave as they are: the listener words them. */
export const identityHttp = new Elysia({ name: "identity.http" })
  .use(signingIn)
  .use(asking)
  .use(passwords)
  .use(account);
