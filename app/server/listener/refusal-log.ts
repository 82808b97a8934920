import { createHmac } from "node:crypto";
import { log } from "#db/log";
import { sessionSecret } from "#db/secrets/instance-secrets";
import { ipOf, knownActorOf, requestIdOf } from "#modules/identity";
import { paths } from "../../paths.ts";

/** A token in an address: 40 characters or more, which no id has. */
const tokenPattern = /[\w-]{40,}/g;

/** The code of an invitation, which admits its reader to a room. */
const invitationPattern = /^\/i\/[^/]+/;

/** A request's path for the log: without its query and without secrets in the path (the provider's callback token, an invitation code). */
export function redactPathForLog(request: Request): string {
  return new URL(request.url).pathname.replaceAll(tokenPattern, "***").replace(invitationPattern, "/i/***");
}

/**
 * Logs a refusal: the request's method and path, the code, the user (if known) and a pseudonym of the address. The pseudonym is a keyed
 * hash of 96 bits, which tells callers apart without revealing where they are. The body is not logged.
 */
export async function logRefusedRequest(request: Request, code: string, socket?: string): Promise<void> {
  const actor = await knownActorOf(request);
  const address = createHmac("sha256", sessionSecret()).update(actor?.ip ?? ipOf(request, socket));
  const known = {
    code,
    method: request.method,
    path: redactPathForLog(request),
    ...(actor?.kind === "user" && { userId: actor.userId }),
    from: address.digest("base64url").slice(0, 16),
    requestId: requestIdOf(request),
  };
  log().info(known, "request refused");
}

const signInPrefixes = [`${paths.landing}?next=`, `${paths.adminLogin}?next=`, paths.settingsConfirm("")];

/**
 * The code under which a page's response is logged as a refusal: its status, or SIGN_IN for a redirect to prove one's identity; undefined
 * for any other response.
 */
export function refusalCodeOf({ status, headers }: Response): string | undefined {
  if (status >= 400 && status < 500) return String(status);
  const location = headers.get("location");
  return location !== null && signInPrefixes.some((at) => location.startsWith(at)) ? "SIGN_IN" : undefined;
}
