import { isIP } from "node:net";
import { config, publicUrl } from "#config";
import { type Language, parseLanguage } from "#locales";
import type { Origin } from "../core/actor.ts";

const DEVICE_LENGTH = 200;
const requestIds = new WeakMap<Request, string>();

/** The request's own id: the same for everything that asks about this request. Never taken from an untrusted caller. */
export function requestIdOf(request: Request): string {
  const known = requestIds.get(request);
  if (known !== undefined) return known;
  const given = config().TRUST_PROXY ? request.headers.get("x-request-id") : null;
  const id = given !== null && /^[\w-]{8,64}$/.test(given) ? given : crypto.randomUUID();
  requestIds.set(request, id);
  return id;
}

/** One cookie of the request, as sent. */
export function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** True when the person's browser speaks https to us, itself or to a proxy that we trust. */
export function isHttps(request?: Pick<Request, "headers">): boolean {
  if (publicUrl().startsWith("https://")) return true;
  if (!config().TRUST_PROXY) return false;
  return request?.headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https";
}

/**
 * The name a cookie of ours goes by: on https with the `__Host-` prefix, so that no sibling domain can plant one; only
 * that name is read there.
 */
export function cookieName(plain: string, request?: Request): string {
  return isHttps(request) ? `__Host-${plain}` : plain;
}

/** How every cookie of ours ends: no other site's page sends it along, and on https nothing carries it in the clear. */
export function cookieGuard(request?: Request): string {
  return `SameSite=Lax${isHttps(request) ? "; Secure" : ""}`;
}

/**
 * The caller's address: the socket's, or, behind a proxy that we trust, the last one of the forwarded header
 * (what stands before it was written by the caller and proves nothing).
 */
export function ipOf(request: Request, socket: string | undefined): string {
  const forwarded = config().TRUST_PROXY
    ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim()
    : "";
  if (forwarded && isIP(forwarded) !== 0) return forwarded;
  return socket !== undefined && isIP(socket) !== 0 ? socket : "0.0.0.0";
}

/**
 * The language of the answer: the one its address asks for (`?lang=`), else the chosen one (cookie),
 * else the browser's first that is ours, else English (§9).
 */
export function languageOf(request: Request): Language {
  return (
    askedLanguage(request) ??
    parseLanguage(cookieOf(request, cookieName("midman-language"))) ??
    preferredLanguage(request.headers.get("accept-language") ?? "") ??
    "en"
  );
}

/** The language that a page's address asks for, `?lang=`; only a request that reads may ask so. */
export function askedLanguage(request: Request): Language | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  return parseLanguage(new URL(request.url).searchParams.get("lang"));
}

/** The first of our languages in the order a browser prefers them (`q`, then place); one it refuses (`q=0`) is none. */
function preferredLanguage(header: string): Language | undefined {
  const wishes = header.split(",").map((part) => {
    const [tag, ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { language: parseLanguage(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const ours = wishes.filter(({ language, weight }) => language !== undefined && weight > 0);
  return ours.sort((a, b) => b.weight - a.weight)[0]?.language;
}

/** Address, device, language and id of a request. `socket` is the peer's address as the server knows it. */
export function originOf(request: Request, socket?: string): Origin {
  return {
    ip: ipOf(request, socket),
    device: (request.headers.get("user-agent") ?? "").slice(0, DEVICE_LENGTH),
    language: languageOf(request),
    requestId: requestIdOf(request),
  };
}
