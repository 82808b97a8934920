import { loginInput } from "#forms/identity";
import { type Actor, signInWithPassword } from "#modules/identity";
import { askForSignInCode, finishSignIn } from "./finish-sign-in.ts";

/** What came, the field that holds the password as it is now, and where the first press leads. */
type RepeatedPost = { actor: Actor; body: FormData; request: Request; field: string; next: string };

/**
 * For a form that takes a password and hands out another session. Pressed twice without scripts, its second half comes
 * with the token that the first has just replaced, and the browser has dropped the first answer, with the new token in it.
 * The old token stays worth nothing, or a stolen one would outlive the change; but name and password are a sign-in like any
 * other, counted and asked for a code as any other. Undefined for who is signed in, and when they are not right.
 */
export async function signInOnRepeat({ actor, body, request, field, next }: RepeatedPost) {
  if (actor.kind === "user") return undefined;
  const typed = loginInput.safeParse({ username: body.get("username"), password: body.get(field) });
  if (!typed.success) return undefined;
  const done = await signInWithPassword(actor, typed.data);
  if (done.ok) return finishSignIn(done, { request, next, said: { kind: "success", key: "toast.loggedIn" } });
  return done.code === "SECOND_FACTOR_REQUIRED" ? askForSignInCode(done, request, next) : undefined;
}
