import { imageLimits } from "#constants/rooms";
import { actorOf, requireAdmin } from "#modules/identity";
import { carriesImage } from "../../routes/room/conversation/post-image.ts";
import type { VerbRefusal } from "../pages/refusal-responses.ts";
import { refuseBody } from "./body-gate.ts";
import { takeEdgeTokens } from "./edge-limits.ts";
import { isUnderMaintenance } from "./maintenance.ts";
import { isCrossSite } from "./request-origin.ts";
import { refuseUnencrypted } from "./unencrypted-requests.ts";

/** Limit for multipart forms, which may contain a picture, and for the back office, whose email templates are long. */
const largestBody = 1024 * 1024;
/** Limit for any other form and call. The longest one, a message of 4,000 characters in URL encoding, has 48 KB. */
const largestPlainBody = 128 * 1024;
const backofficePattern = /^\/(api\/)?admin(\/|$)/;

/** The only addresses that accept more: the call that sends a picture, and the form of the room's page. */
const imageCallPattern = /^\/api\/chat\/rooms\/\d+\/images$/;
const roomPagePattern = /^\/chat\/\d+$/;
/** The provider's callback that money may have arrived; its body is not read. */
const providerCallbackPattern = /^\/api\/qpay\/callback\//;

/**
 * The most that the server reads of a body before it closes the connection. It is more than a body may have, so that a person whose form is
 * too large gets a page that says so.
 */
export const largestRead = 64 * largestBody;

type EarlyRefusalCode =
  | "MAINTENANCE"
  | "LENGTH_REQUIRED"
  | "IMAGE_TOO_LARGE"
  | "PAYLOAD_TOO_LARGE"
  | "BAD_ORIGIN"
  | undefined;

/** Returns the response or refusal of a request that goes no further; undefined if it may pass. */
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

/** Why a request's body is refused. A body with a picture counts its own bytes, and the provider's callback is never refused. */
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

/** Why a request is refused before anything is read or looked up; undefined if it may pass. */
function findEarlyRefusal(request: Request): EarlyRefusalCode {
  const { pathname } = new URL(request.url);
  if (isUnderMaintenance() && !isHealth(pathname)) return "MAINTENANCE";
  const size = findSizeRefusal(request, pathname);
  if (size !== undefined) return size;
  if (isCrossSite(request) && !isProviderCall(pathname)) return "BAD_ORIGIN";
  return undefined;
}

/** Health checks and the version. They are never throttled, and come without TLS behind the proxy. */
function isHealth(pathname: string): boolean {
  return /^\/(healthz|readyz|metrics|version)$/.test(pathname);
}

/** The administrators' calls, except the one that signs in an administrator. */
const adminCallPattern = /^\/api\/admin\/(?!login$)/;

/**
 * Why the caller may not use the administrators' API, checked before anything else is read: others must not learn whether a call exists or
 * what it takes. Every verb behind it checks again.
 */
async function findAdminRefusal(request: Request, ip: string | undefined) {
  if (!adminCallPattern.test(new URL(request.url).pathname)) return undefined;
  const needed = requireAdmin(await actorOf(request, ip));
  return needed.ok ? undefined : needed.code;
}

/**
 * A body is measured by its announced length, so a length is required; only the call that sends a picture counts while it reads. A body
 * that is too large is refused without being read.
 */
function findSizeRefusal(request: Request, pathname: string): EarlyRefusalCode {
  const { headers } = request;
  const isCall = isImageCall(request, pathname);
  if (headers.has("transfer-encoding") && !isCall) return "LENGTH_REQUIRED";
  const length = Number(headers.get("content-length") ?? 0);
  if (isCall) return length > imageLimits.upload ? "IMAGE_TOO_LARGE" : undefined;
  // A picture that is too large for the form is refused beside the form, also without being read (post-image.ts).
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

/** The sandbox provider is called by programs with a bearer token, never with a browser's cookie, so CSRF does not apply. */
function isProviderCall(pathname: string): boolean {
  return pathname.startsWith("/sandbox/qpay/v2/");
}
