import { imageLimits } from "#forms/rooms";
import { actorOf, requireAdmin } from "#modules/identity";
import { bringsImage } from "../../routes/room/room-image.ts";
import type { VerbRefusal } from "../pages/outcome-responses.ts";
import { refuseBody } from "./body-gate.ts";
import { tooFast } from "./edge-limits.ts";
import { closed } from "./maintenance.ts";
import { crossSite } from "./request-origin.ts";
import { unencrypted } from "./unencrypted-requests.ts";

/** Forms in parts, which may bring a picture, and what administrators send, whose mails are long. */
const largestBody = 1024 * 1024;
/** Any other form and call. The longest of ours, a message of 4,000 signs in an address's writing, has 48 KB. */
const largestPlain = 128 * 1024;
const office = /^\/(api\/)?admin(\/|$)/;

/** The only addresses that take more: the call that sends a picture, and the form of the room's page. */
const imageCall = /^\/api\/chat\/rooms\/\d+\/images$/;
const roomPage = /^\/chat\/\d+$/;
/** What the provider says to tell that money may have come; nobody reads its body. */
const callback = /^\/api\/qpay\/callback\//;

/**
 * What the server reads of a body at most before it hangs up. It is more than a body may hold, so that somebody whose
 * form is too large is told so on a page.
 */
export const largestRead = 64 * largestBody;

type Turned =
  | "MAINTENANCE"
  | "LENGTH_REQUIRED"
  | "IMAGE_TOO_LARGE"
  | "PAYLOAD_TOO_LARGE"
  | "BAD_ORIGIN"
  | undefined;

/** What a request is answered that goes no further: a redirect, or a refusal; undefined when it may go on. */
export async function stopped(
  request: Request,
  ip: string | undefined,
): Promise<Response | VerbRefusal | undefined> {
  if (!isHealth(new URL(request.url).pathname)) {
    const retryAfterSeconds = tooFast(request, ip);
    if (retryAfterSeconds > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds };
    const without = unencrypted(request);
    if (without !== undefined) return without;
  }
  const code = turnedAway(request) ?? (await barred(request, ip)) ?? (await refusedBody(request));
  return code && { ok: false, code };
}

/** Why what a request brings is not read; a body with a picture counts what it reads itself, and the provider's word is never refused. */
async function refusedBody(request: Request) {
  const { pathname } = new URL(request.url);
  if (isImageCall(request, pathname) || isRoomImage(request, pathname) || callback.test(pathname)) return;
  return refuseBody(request, pathname);
}

/** Why a request is turned away before anything looks at it; undefined when it may go on. */
function turnedAway(request: Request): Turned {
  const { pathname } = new URL(request.url);
  if (closed() && !isHealth(pathname)) return "MAINTENANCE";
  const size = wrongSize(request, pathname);
  if (size !== undefined) return size;
  if (crossSite(request) && !isProviderCall(pathname)) return "BAD_ORIGIN";
  return undefined;
}

/** What the machinery around Midman asks: how it is, and which. It never waits its turn, and asks without TLS behind the proxy. */
function isHealth(pathname: string): boolean {
  return /^\/(healthz|readyz|metrics|version)$/.test(pathname);
}

/** The calls of administrators; how one becomes known as such is not among them. */
const adminCall = /^\/api\/admin\/(?!login$)/;

/**
 * Why somebody may not make a call of administrators, told before anything of it is read: to others it makes no difference
 * whether it exists, nor what it takes. Every verb behind it asks again.
 */
async function barred(request: Request, ip: string | undefined) {
  if (!adminCall.test(new URL(request.url).pathname)) return undefined;
  const needed = requireAdmin(await actorOf(request, ip));
  return needed.ok ? undefined : needed.code;
}

/**
 * A body is measured by its announced length, so it must announce one; only the call that sends a picture counts while it
 * reads. What is not read costs nothing: it stays with its sender.
 */
function wrongSize(request: Request, pathname: string): Turned {
  const { headers } = request;
  const isCall = isImageCall(request, pathname);
  if (headers.has("transfer-encoding") && !isCall) return "LENGTH_REQUIRED";
  const length = Number(headers.get("content-length") ?? 0);
  if (isCall) return length > imageLimits.upload ? "IMAGE_TOO_LARGE" : undefined;
  // What is too large for the form is told beside it, and not read either (room-image.ts).
  if (isRoomImage(request, pathname)) return undefined;
  const large = office.test(pathname) || /multipart\/form-data/i.test(headers.get("content-type") ?? "");
  return length > (large ? largestBody : largestPlain) ? "PAYLOAD_TOO_LARGE" : undefined;
}

function isImageCall({ method }: Request, pathname: string): boolean {
  return method === "POST" && imageCall.test(pathname);
}

function isRoomImage(request: Request, pathname: string): boolean {
  return request.method === "POST" && roomPage.test(pathname) && bringsImage(request);
}

/** The sandbox provider speaks to programs with a bearer token, never to a browser's cookie: no forgery to fear. */
function isProviderCall(pathname: string): boolean {
  return pathname.startsWith("/sandbox/qpay/v2/");
}
