import { imageLimits } from "#forms/rooms";
import { actorOf, requireAdmin } from "#modules/identity";
import { carriesImage } from "../../routes/room/conversation/post-image.ts";
import type { VerbRefusal } from "../pages/refusal-responses.ts";
import { refuseBody } from "./body-gate.ts";
import { takeEdgeTokens } from "./edge-limits.ts";
import { isUnderMaintenance } from "./maintenance.ts";
import { isCrossSite } from "./request-origin.ts";
import { refuseUnencrypted } from "./unencrypted-requests.ts";

/** Forms in parts, which may bring a picture, and what administrators send, whose mails are long. */
const largestBody = 1024 * 1024;
/** Any other form and call. The longest of ours, a message of 4,000 signs in an address's writing, has 48 KB. */
const largestPlainBody = 128 * 1024;
const backofficePattern = /^\/(api\/)?admin(\/|$)/;

/** The only addresses that take more: the call that sends a picture, and the form of the room's page. */
const imageCallPattern = /^\/api\/chat\/rooms\/\d+\/images$/;
const roomPagePattern = /^\/chat\/\d+$/;
/** What the provider says to tell that money may have come; nobody reads its body. */
const providerCallbackPattern = /^\/api\/qpay\/callback\//;

/**
 * What the server reads of a body at most before it hangs up. It is more than a body may hold, so that somebody whose
 * form is too large is told so on a page.
 */
export const largestRead = 64 * largestBody;

type EarlyRefusalCode =
  | "MAINTENANCE"
  | "LENGTH_REQUIRED"
  | "IMAGE_TOO_LARGE"
  | "PAYLOAD_TOO_LARGE"
  | "BAD_ORIGIN"
  | undefined;

/** What a request is answered that goes no further: a redirect, or a refusal; undefined when it may go on. */
export async function refuseAtGate(
  request: Request,
  ip: string | undefined,
): Promise<Response | VerbRefusal | undefined> {
  if (!isHealth(new URL(request.url).pathname)) {
    const retryAfterSeconds = takeEdgeTokens(request, ip);
    if (retryAfterSeconds > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds };
    const without = refuseUnencrypted(request);
    if (without !== undefined) return without;
  }
  const code =
    findEarlyRefusal(request) ?? (await findAdminRefusal(request, ip)) ?? (await findBodyRefusal(request));
  return code && { ok: false, code };
}

/** Why what a request brings is not read; a body with a picture counts what it reads itself, and the provider's word is never refused. */
async function findBodyRefusal(request: Request) {
  const { pathname } = new URL(request.url);
  if (
    isImageCall(request, pathname) ||
    isRoomImage(request, pathname) ||
    providerCallbackPattern.test(pathname)
  )
    return;
  return refuseBody(request, pathname);
}

/** Why a request is turned away before anything looks at it; undefined when it may go on. */
function findEarlyRefusal(request: Request): EarlyRefusalCode {
  const { pathname } = new URL(request.url);
  if (isUnderMaintenance() && !isHealth(pathname)) return "MAINTENANCE";
  const size = findSizeRefusal(request, pathname);
  if (size !== undefined) return size;
  if (isCrossSite(request) && !isProviderCall(pathname)) return "BAD_ORIGIN";
  return undefined;
}

/** What the machinery around Midman asks: how it is, and which. It never waits its turn, and asks without TLS behind the proxy. */
function isHealth(pathname: string): boolean {
  return /^\/(healthz|readyz|metrics|version)$/.test(pathname);
}

/** The calls of administrators; how one becomes known as such is not among them. */
const adminCallPattern = /^\/api\/admin\/(?!login$)/;

/**
 * Why somebody may not make a call of administrators, told before anything of it is read: to others it makes no difference
 * whether it exists, nor what it takes. Every verb behind it asks again.
 */
async function findAdminRefusal(request: Request, ip: string | undefined) {
  if (!adminCallPattern.test(new URL(request.url).pathname)) return undefined;
  const needed = requireAdmin(await actorOf(request, ip));
  return needed.ok ? undefined : needed.code;
}

/**
 * A body is measured by its announced length, so it must announce one; only the call that sends a picture counts while it
 * reads. What is not read costs nothing: it stays with its sender.
 */
function findSizeRefusal(request: Request, pathname: string): EarlyRefusalCode {
  const { headers } = request;
  const isCall = isImageCall(request, pathname);
  if (headers.has("transfer-encoding") && !isCall) return "LENGTH_REQUIRED";
  const length = Number(headers.get("content-length") ?? 0);
  if (isCall) return length > imageLimits.upload ? "IMAGE_TOO_LARGE" : undefined;
  // What is too large for the form is told beside it, and not read either (post-image.ts).
  if (isRoomImage(request, pathname)) return undefined;
  const large =
    backofficePattern.test(pathname) || /multipart\/form-data/i.test(headers.get("content-type") ?? "");
  return length > (large ? largestBody : largestPlainBody) ? "PAYLOAD_TOO_LARGE" : undefined;
}

function isImageCall({ method }: Request, pathname: string): boolean {
  return method === "POST" && imageCallPattern.test(pathname);
}

function isRoomImage(request: Request, pathname: string): boolean {
  return request.method === "POST" && roomPagePattern.test(pathname) && carriesImage(request);
}

/** The sandbox provider speaks to programs with a bearer token, never to a browser's cookie: no forgery to fear. */
function isProviderCall(pathname: string): boolean {
  return pathname.startsWith("/sandbox/qpay/v2/");
}
