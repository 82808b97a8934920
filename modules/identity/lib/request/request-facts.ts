import { isIP } from "node:net";
import { config, publicUrl } from "#config";
import { type Language, parseLanguage } from "#locales";
import type { Origin } from "../core/actor.ts";

const DEVICE_LENGTH = 200;
const requestIds = new WeakMap<Request, string>();

/** The request's id, the same for all callers. Accepted from the `x-request-id` header only behind a trusted proxy. */
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

/** True if the person's browser uses https, directly or to a trusted proxy. */
export function isHttps(request?: Pick<Request, "headers">): boolean {
  if (publicUrl().startsWith("https://")) return true;
  if (!config().TRUST_PROXY) return false;
  return request?.headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https";
}

/**
 * The name of one of Midman's cookies: on https with the `__Host-` prefix, so that no sibling domain can set one; only that name is read
 * there.
 */
export function cookieName(plain: string, request?: Request): string {
  return isHttps(request) ? `__Host-${plain}` : plain;
}

/**
 * Common attributes of Midman's cookies: requests that other sites' pages make do not carry them, except navigations, and on https they
 * never travel unencrypted.
 */
export function cookieGuard(request?: Request): string {
  return `SameSite=Lax${isHttps(request) ? "; Secure" : ""}`;
}

/**
 * The caller's IP address: the socket's, or, behind a trusted proxy, the last one in `x-forwarded-for` (the caller writes the earlier ones,
 * which prove nothing).
 */
export function ipOf(request: Request, socket: string | undefined): string {
  const forwarded = config().TRUST_PROXY
    ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim()
    : "";
  if (forwarded && isIP(forwarded) !== 0) return forwarded;
  return socket !== undefined && isIP(socket) !== 0 ? socket : "0.0.0.0";
}

/**
 * The language of the response: the one in its address (`?lang=`), else the chosen one (cookie), else the browser's first supported one,
 * else English.
 */
export function languageOf(request: Request): Language {
  return (
    askedLanguage(request) ??
    parseLanguage(cookieOf(request, cookieName("midman-language"))) ??
    preferredLanguage(request.headers.get("accept-language") ?? "") ??
    "en"
  );
}

/** The language in a page's address, `?lang=`; only for GET and HEAD. */
export function askedLanguage(request: Request): Language | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  return parseLanguage(new URL(request.url).searchParams.get("lang"));
}

/** The first supported language in the browser's order of preference (`q`, then position); languages it refuses (`q=0`) do not count. */
function preferredLanguage(header: string): Language | undefined {
  const wishes = header.split(",").map((part) => {
    const [tag, ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { language: parseLanguage(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const ours = wishes.filter(({ language, weight }) => language !== undefined && weight > 0);
  return ours.sort((a, b) => b.weight - a.weight)[0]?.language;
}

/** Address, device, language and id of a request. `socket` is the peer's address as the server reports it. */
export function originOf(request: Request, socket?: string): Origin {
  return {
    ip: ipOf(request, socket),
    device: (request.headers.get("user-agent") ?? "").slice(0, DEVICE_LENGTH),
    language: languageOf(request),
    requestId: requestIdOf(request),
  };
}
