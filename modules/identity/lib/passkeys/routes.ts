import { type Cookie, Elysia } from "elysia";
import { z } from "zod";
import { issueSessionCookie, replySuccess } from "../core/route-replies.ts";
import { withActor } from "../core/with-actor.ts";
import { sessionCookieOptions } from "../request/session-cookie.ts";
import { type ChallengeTicket, passkeyCookieName, passkeyTicketOf } from "./challenges.ts";
import { beginPasskeyConfirmation, confirmWithPasskey } from "./confirm-with-passkey.ts";
import { passkeyAssertionInput, passkeyDoor, registerPasskeyInput, renamePasskeyInput } from "./forms.ts";
import { ownPasskeys, removePasskey, renamePasskey } from "./manage-passkeys.ts";
import * as calls from "./operations.ts";
import { beginPasskey, registerPasskey } from "./register-passkey.ts";
import { beginPasskeySignIn, signInWithPasskey } from "./sign-in-with-passkey.ts";

type RouteCookies = { cookie: Record<string, Cookie<unknown>>; request: Request };

/** Sets the ticket cookie of a ceremony, in this browser only, and returns the options for the page's script. */
function replyWithOptions<Options>(
  { cookie, request }: RouteCookies,
  answer: { ok: true; options: Options; ticket: ChallengeTicket },
): { options: Options } {
  const { token, expires } = answer.ticket;
  cookie[passkeyCookieName(request)]?.set({ ...sessionCookieOptions(request), value: token, expires });
  return { options: answer.options };
}

/** Signing in with a passkey, and confirming the actor's identity with one. */
const passkeySignInRoutes = new Elysia({ name: "identity.passkeys.entrances" })
  .use(withActor)
  .post(
    "/api/auth/passkey/options",
    async ({ actor, body, cookie, request }) => {
      const answer = await beginPasskeySignIn(actor, body);
      return answer.ok ? replyWithOptions({ cookie, request }, answer) : answer;
    },
    { body: passkeyDoor, detail: calls.beginSignIn },
  )
  .post(
    "/api/auth/passkey",
    async ({ actor, body, cookie, request }) => {
      const answer = await signInWithPasskey(actor, { ...body, ticket: passkeyTicketOf(request) });
      if (!answer.ok) return answer;
      issueSessionCookie({ cookie, request }, answer.session);
      return { ...replySuccess(actor, "loggedIn"), user: answer.user };
    },
    { body: passkeyAssertionInput, detail: calls.signIn },
  )
  .post(
    "/api/auth/confirm-passkey/options",
    async ({ actor, cookie, request }) => {
      const answer = await beginPasskeyConfirmation(actor);
      return answer.ok ? replyWithOptions({ cookie, request }, answer) : answer;
    },
    { detail: calls.beginConfirmation },
  )
  .post(
    "/api/auth/confirm-passkey",
    async ({ actor, body, cookie, request }) => {
      const answer = await confirmWithPasskey(actor, { ...body, ticket: passkeyTicketOf(request) });
      if (!answer.ok) return answer;
      issueSessionCookie({ cookie, request }, answer.session);
      return replySuccess(actor, "passwordConfirmed");
    },
    { body: passkeyAssertionInput, detail: calls.finishConfirmation },
  );

const passkeyParamsSchema = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** The actor's own passkeys. */
const ownPasskeyRoutes = new Elysia({ name: "identity.passkeys.own" })
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
      return answer.ok ? replyWithOptions({ cookie, request }, answer) : answer;
    },
    { detail: calls.beginRegistration },
  )
  .post(
    "/api/users/me/passkeys",
    async ({ actor, body, request }) => {
      const answer = await registerPasskey(actor, { ...body, ticket: passkeyTicketOf(request) });
      return answer.ok ? { ...replySuccess(actor, "passkeyAdded"), passkey: answer.passkey } : answer;
    },
    { body: registerPasskeyInput, detail: calls.finishRegistration },
  )
  .patch(
    "/api/users/me/passkeys/:id",
    async ({ actor, body, params }) => {
      const answer = await renamePasskey(actor, params.id, body);
      return answer.ok ? { ...replySuccess(actor, "passkeyRenamed"), passkey: answer.passkey } : answer;
    },
    { params: passkeyParamsSchema, body: renamePasskeyInput, detail: calls.renameOwnPasskey },
  )
  .delete(
    "/api/users/me/passkeys/:id",
    async ({ actor, params }) => {
      const answer = await removePasskey(actor, params.id);
      return answer.ok ? replySuccess(actor, "passkeyRemoved") : answer;
    },
    { params: passkeyParamsSchema, detail: calls.removeOwnPasskey },
  );

/** Passkeys: signing in, confirming the actor's identity, and managing them. */
export const passkeyRoutes = new Elysia({ name: "identity.passkeys" })
  .use(passkeySignInRoutes)
  .use(ownPasskeyRoutes);
