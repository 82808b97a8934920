import { loginInput } from "#forms/identity";
import { type Actor, signInWithPassword } from "#modules/identity";
import { askForSignInCode, finishSignIn } from "./finish-sign-in.ts";

/** The posted form, the field that holds the current password, and where the first press leads. */
type RepeatedPost = { actor: Actor; body: FormData; request: Request; field: string; next: string };

/**
 * Handles the second press of a form that takes a password and replaces the session. Without scripts, a double press posts twice: the
 * second request carries the token that the first has just replaced, and the browser has discarded the first response with the new token.
 * The old token must stay invalid, or a stolen one would outlive the change. So the username and password of the form count as an ordinary
 * sign-in, with the same throttles and the same second factor. Returns undefined if the actor is signed in or the credentials are wrong.
 */
export async function signInOnRepeat({ actor, body, request, field, next }: RepeatedPost) {
  if (actor.kind === "user") return undefined;
  const typed = loginInput.safeParse({ username: body.get("username"), password: body.get(field) });
  if (!typed.success) return undefined;
  const done = await signInWithPassword(actor, typed.data);
  if (done.ok)
    return finishSignIn(done, { request, next, toast: { kind: "success", key: "toast.loggedIn" } });
  return done.code === "SECOND_FACTOR_REQUIRED" ? askForSignInCode(done, request, next) : undefined;
}
