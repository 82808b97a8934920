import { cookieGuard, cookieName, cookieOf, isHttps } from "./request-facts.ts";

const NAME = "midman-session";

/** The session cookie's name. */
export function sessionCookieName(request?: Request): string {
  return cookieName(NAME, request);
}

/** The attributes of the session cookie, for Elysia's `cookie`. */
export function sessionCookieOptions(request?: Request) {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps(request) } as const;
}

/** The session token a request carries, if it has the shape of one. */
export function sessionTokenOf(request: Request): string | undefined {
  const value = cookieOf(request, sessionCookieName(request));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** The `Set-Cookie` value that hands a session to a browser, for doors that answer with a plain Response. */
export function sessionSetCookie(token: string, expires: Date, request?: Request): string {
  return `${sessionCookieName(request)}=${token}; ${cookieAttributes(request)}; Expires=${expires.toUTCString()}`;
}

/** The `Set-Cookie` value that takes the session back. */
export function sessionClearCookie(request?: Request): string {
  return `${sessionCookieName(request)}=; ${cookieAttributes(request)}; Max-Age=0`;
}

/** The `Clear-Site-Data` of leaving: what pages kept in the browser's storage. */
export const pageStorageDirective = '"storage"';

/**
 * What takes leave of a browser, for doors that answer with a plain Response: its session, and what pages kept in it (words and
 * pictures not sent yet, drafts, the worker's notifications), which the next person at it has no business with.
 */
export function signedOutHeaders(request?: Request): Headers {
  return new Headers({ "Set-Cookie": sessionClearCookie(request), "Clear-Site-Data": pageStorageDirective });
}

function cookieAttributes(request?: Request): string {
  return `Path=/; HttpOnly; ${cookieGuard(request)}`;
}
