import { Elysia } from "elysia";
import { adminLoginInput, finishLoginInput, loginInput, registerInput } from "../../forms.ts";
import {
  expireSessionCookie,
  expireTicketCookie,
  issueSessionCookie,
  issueTicketCookie,
  replySuccess,
} from "../core/route-replies.ts";
import { withActor } from "../core/with-actor.ts";
import { finishLogin } from "../login/finish-login.ts";
import { adminLogin, signInWithPassword } from "../login/login.ts";
import { loginTicketOf } from "../login/login-tickets.ts";
import { registerUser } from "../login/register.ts";
import { signOut } from "./logout.ts";
import * as calls from "./operations.ts";

/** Sign-in, registration and sign-out. */
export const sessionRoutes = new Elysia({ name: "identity.sessions" })
  .use(withActor)
  .post(
    "/api/auth/login",
    async ({ actor, body, cookie, request }) => {
      const answer = await signInWithPassword(actor, body);
      if (answer.ok) issueSessionCookie({ cookie, request }, answer.session);
      else if (answer.code === "SECOND_FACTOR_REQUIRED")
        issueTicketCookie({ cookie, request }, answer.ticket);
      return answer.ok ? { ...replySuccess(actor, "loggedIn"), user: answer.user } : answer;
    },
    { body: loginInput, detail: calls.signIn },
  )
  .post(
    "/api/admin/login",
    async ({ actor, body, cookie, request }) => {
      const answer = await adminLogin(actor, body);
      if (answer.ok) issueSessionCookie({ cookie, request }, answer.session);
      else if (answer.code === "SECOND_FACTOR_REQUIRED")
        issueTicketCookie({ cookie, request }, answer.ticket);
      return answer.ok ? { ...replySuccess(actor, "loggedIn"), user: answer.user } : answer;
    },
    { body: adminLoginInput, detail: calls.adminLogin },
  )
  .post(
    "/api/auth/second-factor",
    async ({ actor, body, cookie, request }) => {
      const answer = await finishLogin(actor, { ...body, ticket: loginTicketOf(request) });
      if (!answer.ok) return answer;
      expireTicketCookie({ cookie, request });
      issueSessionCookie({ cookie, request }, answer.session);
      return { ...replySuccess(actor, "loggedIn"), user: answer.user };
    },
    { body: finishLoginInput, detail: calls.finishSignIn },
  )
  .post(
    "/api/auth/register",
    async ({ actor, body, cookie, request }) => {
      const answer = await registerUser(actor, body);
      if (!answer.ok) return answer;
      issueSessionCookie({ cookie, request }, answer.session);
      return { ...replySuccess(actor, "registered"), user: answer.user };
    },
    { body: registerInput, detail: calls.signUp },
  )
  .post(
    "/api/auth/logout",
    async ({ actor, cookie, request, set }) => {
      await signOut(actor);
      expireSessionCookie({ cookie, request, set });
      return replySuccess(actor, "loggedOut");
    },
    { detail: calls.signOutBrowser },
  );
