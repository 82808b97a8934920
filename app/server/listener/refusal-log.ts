import { createHmac } from "node:crypto";
import { log } from "#db/log";
import { sessionSecret } from "#db/secrets/instance-secrets";
import { ipOf, knownActorOf, requestIdOf } from "#modules/identity";
import { paths } from "../../paths.ts";

/** A token as it stands in an address: 40 letters and more, which no id of ours has. */
const tokenPattern = /[\w-]{40,}/g;

/** The code of an invitation, which lets its reader into a room. */
const invitationPattern = /^\/i\/[^/]+/;

/** A request's path for the log: without its query, and without a secret that stands in it (the provider's callback, an invitation). */
export function redactPathForLog(request: Request): string {
  return new URL(request.url).pathname.replaceAll(tokenPattern, "***").replace(invitationPattern, "/i/***");
}

/**
 * Notes in the program's log that somebody was refused: what was asked, why not, who asked (where that is known) and from where. An address is kept as a
 * keyed hash of 96 bits, which tells one caller from another and nobody where they are; what they sent is not kept at all.
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

/** Why a page's answer is a refusal: its status, or SIGN_IN where it sends somebody to prove who they are. */
export function refusalCodeOf({ status, headers }: Response): string | undefined {
  if (status >= 400 && status < 500) return String(status);
  const location = headers.get("location");
  return location !== null && signInPrefixes.some((at) => location.startsWith(at)) ? "SIGN_IN" : undefined;
}
