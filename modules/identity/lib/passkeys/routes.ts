import { type Cookie, Elysia } from "elysia";
import { z } from "zod";
import { done, hand } from "../core/route-words.ts";
import { withActor } from "../core/with-actor.ts";
import { sessionCookieOptions } from "../request/session-cookie.ts";
import { type ChallengeTicket, passkeyCookieName, passkeyTicketOf } from "./challenges.ts";
import { beginPasskeyConfirmation, confirmWithPasskey } from "./confirm-with-passkey.ts";
import { passkeyAssertionInput, passkeyDoor, registerPasskeyInput, renamePasskeyInput } from "./forms.ts";
import { ownPasskeys, removePasskey, renamePasskey } from "./manage-passkeys.ts";
import * as calls from "./operations.ts";
import { beginPasskey, registerPasskey } from "./register-passkey.ts";
import { beginPasskeySignIn, signInWithPasskey } from "./sign-in.ts";

type Door = { cookie: Record<string, Cookie<unknown>>; request: Request };

/** Leaves the ticket of a ceremony with this browser alone, and answers what its script goes on with. */
function ask<Options>(
  { cookie, request }: Door,
  answer: { ok: true; options: Options; ticket: ChallengeTicket },
): { options: Options } {
  const { token, expires } = answer.ticket;
  cookie[passkeyCookieName(request)]?.set({ ...sessionCookieOptions(request), value: token, expires });
  return { options: answer.options };
}

/** Signing in with a passkey, and proving oneself again. */
const entrances = new Elysia({ name: "identity.passkeys.entrances" })
  .use(withActor)
  .post(
    "/api/auth/passkey/options",
    async ({ actor, body, cookie, request }) => {
      const answer = await beginPasskeySignIn(actor, body);
      return answer.ok ? ask({ cookie, request }, answer) : answer;
    },
    { body: passkeyDoor, detail: calls.beginSignIn },
  )
  .post(
    "/api/auth/passkey",
    async ({ actor, body, cookie, request }) => {
      const answer = await signInWithPasskey(actor, { ...body, ticket: passkeyTicketOf(request) });
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return { ...done(actor, "loggedIn"), user: answer.user };
    },
    { body: passkeyAssertionInput, detail: calls.signIn },
  )
  .post(
    "/api/auth/confirm-passkey/options",
    async ({ actor, cookie, request }) => {
      const answer = await beginPasskeyConfirmation(actor);
      return answer.ok ? ask({ cookie, request }, answer) : answer;
    },
    { detail: calls.beginConfirmation },
  )
  .post(
    "/api/auth/confirm-passkey",
    async ({ actor, body, cookie, request }) => {
      const answer = await confirmWithPasskey(actor, { ...body, ticket: passkeyTicketOf(request) });
      if (!answer.ok) return answer;
      hand({ cookie, request }, answer.session);
      return done(actor, "passwordConfirmed");
    },
    { body: passkeyAssertionInput, detail: calls.confirm },
  );

const params = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** One's own passkeys. */
const own = new Elysia({ name: "identity.passkeys.own" })
  .use(withActor)
  .get(
    "/api/users/me/passkeys",
    async ({ actor }) => {
      const answer = await ownPasskeys(actor);
      return answer.ok ? answer.passkeys : answer;
    },
    { detail: calls.listPasskeys },
  )
  .post(
    "/api/users/me/passkeys/options",
    async ({ actor, cookie, request }) => {
      const answer = await beginPasskey(actor);
      return answer.ok ? ask({ cookie, request }, answer) : answer;
    },
    { detail: calls.begin },
  )
  .post(
    "/api/users/me/passkeys",
    async ({ actor, body, request }) => {
      const answer = await registerPasskey(actor, { ...body, ticket: passkeyTicketOf(request) });
      return answer.ok ? { ...done(actor, "passkeyAdded"), passkey: answer.passkey } : answer;
    },
    { body: registerPasskeyInput, detail: calls.register },
  )
  .patch(
    "/api/users/me/passkeys/:id",
    async ({ actor, body, params }) => {
      const answer = await renamePasskey(actor, params.id, body);
      return answer.ok ? { ...done(actor, "passkeyRenamed"), passkey: answer.passkey } : answer;
    },
    { params, body: renamePasskeyInput, detail: calls.rename },
  )
  .delete(
    "/api/users/me/passkeys/:id",
    async ({ actor, params }) => {
      const answer = await removePasskey(actor, params.id);
      return answer.ok ? done(actor, "passkeyRemoved") : answer;
    },
    { params, detail: calls.remove },
  );

/** Passkeys: signing in with one, proving oneself with one, and keeping them. */
export const passkeyRoutes = new Elysia({ name: "identity.passkeys" }).use(entrances).use(own);
