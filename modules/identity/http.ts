import { Elysia } from "elysia";
import {
  agreeInput,
  changePasswordInput,
  chooseNameInput,
  confirmPasswordInput,
  forgotPasswordInput,
  profileInput,
  resetPasswordInput,
  verifyEmailInput,
} from "./forms.ts";
import { readOwnProfile, updateProfile } from "./lib/account/profile.ts";
import { ownAccountRoutes } from "./lib/account/routes.ts";
import * as calls from "./lib/account/session-operations.ts";
import { activityLogRoutes } from "./lib/activity/routes.ts";
import { agreeToDocuments } from "./lib/consents/agree.ts";
import type { Actor } from "./lib/core/actor.ts";
import { expireSessionCookie, issueSessionCookie, replySuccess } from "./lib/core/route-replies.ts";
import { withActor } from "./lib/core/with-actor.ts";
import { emailSettingsRoutes } from "./lib/email-settings/routes.ts";
import { resendVerification, verifyEmail } from "./lib/login/verify-email.ts";
import { chooseName } from "./lib/names/choose-name.ts";
import { notificationRoutes } from "./lib/notifications/routes.ts";
import { passkeyRoutes } from "./lib/passkeys/routes.ts";
import { changePassword, confirmPassword } from "./lib/password/change-password.ts";
import { forgotPassword } from "./lib/password/forgot-password.ts";
import { resetPassword } from "./lib/password/reset-password.ts";
import { restrictionRoutes } from "./lib/restrictions/routes.ts";
import { sessionRoutes } from "./lib/sessions/routes.ts";

const currentUserRoutes = new Elysia({ name: "identity.asking" })
  .use(withActor)
  .get(
    "/api/auth/session",
    async ({ actor }) => {
      const own = await readOwnProfile(actor);
      return own.ok ? { isAuthenticated: true, user: own.user } : { isAuthenticated: false, user: null };
    },
    { detail: calls.showSession },
  )
  .get(
    "/api/auth/user",
    async ({ actor }) => {
      const own = await readOwnProfile(actor);
      return own.ok ? own.user : own;
    },
    { detail: calls.showSignedInUser },
  )
  .get("/api/auth/is-admin", ({ actor }) => ({ isAdmin: actor.kind === "user" && actor.isAdmin }), {
    detail: calls.isAdmin,
  });

const passwordRoutes = new Elysia({ name: "identity.passwords" })
  .use(withActor)
  .post(
    "/api/auth/forgot-password",
    async ({ actor, body }) => {
      const answer = await forgotPassword(actor, body);
      return answer.ok ? replySuccess(actor, "resetLinkSent") : answer;
    },
    { body: forgotPasswordInput, detail: calls.forgotPassword },
  )
  .post(
    "/api/auth/reset-password",
    async ({ actor, body, cookie, request, set }) => {
      const answer = await resetPassword(actor, body);
      if (!answer.ok) return answer;
      // Every session of that user has ended; if one of them was this browser's, its cookie is useless.
      if (actor.kind === "user" && actor.userId === answer.userId)
        expireSessionCookie({ cookie, request, set });
      return replySuccess(actor, "passwordReset");
    },
    { body: resetPasswordInput, detail: calls.resetPassword },
  )
  .post(
    "/api/auth/change-password",
    async ({ actor, body, cookie, request }) => {
      const answer = await changePassword(actor, body);
      if (!answer.ok) return answer;
      issueSessionCookie({ cookie, request }, answer.session);
      return replySuccess(actor, "passwordChanged");
    },
    { body: changePasswordInput, detail: calls.changePassword },
  )
  .post(
    "/api/auth/confirm-password",
    async ({ actor, body, cookie, request }) => {
      const answer = await confirmPassword(actor, body);
      if (!answer.ok) return answer;
      issueSessionCookie({ cookie, request }, answer.session);
      return replySuccess(actor, "passwordConfirmed");
    },
    { body: confirmPasswordInput, detail: calls.confirmPassword },
  );

const accountRoutes = new Elysia({ name: "identity.account" })
  .use(withActor)
  .post(
    "/api/auth/verify-email",
    async ({ actor, body }) => {
      const answer = await verifyEmail(actor, body);
      return answer.ok ? replySuccess(actor, "emailVerified") : answer;
    },
    { body: verifyEmailInput, detail: calls.verifyEmail },
  )
  .post(
    "/api/auth/resend-verification",
    async ({ actor }) => {
      const answer = await resendVerification(actor);
      return answer.ok ? replySuccess(actor, "verificationSent") : answer;
    },
    { detail: calls.resendVerification },
  )
  .post(
    "/api/auth/choose-name",
    async ({ actor, body }) => {
      const answer = await chooseName(actor, body);
      return answer.ok ? { ...replySuccess(actor, "nameChosen"), user: answer.user } : answer;
    },
    { body: chooseNameInput, detail: calls.chooseName },
  )
  .post(
    "/api/auth/agree",
    async ({ actor, body }) => {
      const answer = await agreeToDocuments(actor, body);
      return answer.ok ? replySuccess(actor, "documentsAgreed") : answer;
    },
    { body: agreeInput, detail: calls.agreeToDocuments },
  )
  // Existing clients try the second path if the first one fails.
  .patch("/api/users/profile", ({ actor, body }) => saveProfile(actor, body), {
    body: profileInput,
    detail: calls.saveProfile,
  })
  .patch("/api/user/profile", ({ actor, body }) => saveProfile(actor, body), {
    body: profileInput,
    detail: calls.saveProfileAtSecondPath,
  });

async function saveProfile(actor: Actor, input: Parameters<typeof updateProfile>[1]) {
  const answer = await updateProfile(actor, input);
  return answer.ok ? { ...replySuccess(actor, "profileUpdated"), user: answer.user } : answer;
}

/** Identity's part of the API. Refusals are returned as codes: the listener adds the texts. */
export const identityRoutes = new Elysia({ name: "identity.http" })
  .use(sessionRoutes)
  .use(currentUserRoutes)
  .use(passwordRoutes)
  .use(accountRoutes)
  .use(activityLogRoutes)
  .use(ownAccountRoutes)
  .use(passkeyRoutes)
  .use(notificationRoutes)
  .use(emailSettingsRoutes)
  .use(restrictionRoutes);
