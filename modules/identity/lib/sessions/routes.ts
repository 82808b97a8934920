import { Elysia } from "elysia";
import { adminLoginInput, finishLoginInput, loginInput, registerInput } from "../../forms.ts";
import { done, hand, handTicket, takeBack, takeTicketBack } from "../core/route-words.ts";
import { withActor } from "../core/with-actor.ts";
import { finishLogin } from "../login/finish-login.ts";
import { adminLogin, login } from "../login/login.ts";
import { loginTicketOf } from "../login/login-tickets.ts";
import { register } from "../login/register.ts";
import { logout } from "./logout.ts";
import * as calls from "./operations.ts";

/** Signing in, up and out. */
export const sessionsHttp = new Elysia({ name: "identity.sessions" })
  .use(withActor)
  .post(
    "/api/auth/login",
    async ({ actor, body, cookie, request }) => {
      const answer = await login(actor, body);
      if (answer.ok) hand({ cookie, request }, answer.session);
      else if (answer.code === "SECOND_FACTOR_REQUIRED") handTicket({ cookie, request }, answer.ticket);
      return answer.ok ? { ...done(actor, "loggedIn"), user: answer.user } : answer;
    },
    { body: loginInput, detail: calls.login },
  )
  .post(
    "/api/admin/login",
    async ({ actor, body, cookie, request }) => {
      const answer = await adminLogin(actor, body);
      if (answer.ok) hand({ cookie, request }, answer.session);
      else if (answer.code === "SECOND_FACTOR_REQUIRED") handTicket({ cookie, request }, answer.ticket);
      return answer.ok ? { ...done(actor, "loggedIn"), user: answer.user } : answer;
    },
    { body: adminLoginInput, detail: calls.adminLogin },
  )
  .post(
    "/api/auth/second-factor",
    async ({ actor, body, cookie, request }) => {
      const answer = await finishLogin(actor, { ...body, ticket: loginTicketOf(request) });
      if (!answer.ok) return answer;
      takeTicketBack({ cookie, request });
      hand({ cookie, request }, answer.session);
      return { ...done(actor, "loggedIn"), user: answer.user };
    },
    { body: finishLoginInput, detail: calls.secondFactor },
  )
  .post(
    "/api/auth/register",
    async ({ actor, body, cookie, request }) => {
      const answer = await register(actor, body);
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return { ...done(actor, "registered"), user: answer.user };
    },
    { body: registerInput, detail: calls.register },
  )
  .post(
    "/api/auth/logout",
    async ({ actor, cookie, request, set }) => {
      await logout(actor);
      takeBack({ cookie, request, set });
      return done(actor, "loggedOut");
    },
    { detail: calls.logout },
  );
