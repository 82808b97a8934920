import type { LoginSuccess, SecondFactorRequired } from "#modules/identity";
import { sessionSetCookie, ticketClearCookie, ticketSetCookie } from "#modules/identity";
import { paths } from "../../paths.ts";
import { clearFormDraftCookie } from "../../server/pages/form-draft-cookie.ts";
import { goTo } from "../../server/pages/page-context.ts";
import type { Toast } from "../../server/pages/toast-cookie.ts";

/** Sets the session cookie, clears the cookies of the sign-in, and redirects to `next`. */
export function finishSignIn(
  { session }: Pick<LoginSuccess, "session">,
  { request, next, toast }: { request: Request; next: string; toast?: Toast },
): Response {
  const headers = new Headers();
  headers.append("Set-Cookie", sessionSetCookie(session.token, session.expires, request));
  headers.append("Set-Cookie", ticketClearCookie(request));
  headers.append("Set-Cookie", clearFormDraftCookie());
  return goTo(next, toast, headers);
}

/** Sets the sign-in ticket's cookie and redirects to the page that asks for the code, after a correct password. */
export function askForSignInCode({ ticket }: SecondFactorRequired, request: Request, next: string): Response {
  const headers = new Headers({ "Set-Cookie": ticketSetCookie(ticket, request) });
  return goTo(`${paths.signInCode}?next=${encodeURIComponent(next)}`, undefined, headers);
}
