import { cookieGuard, cookieName, cookieOf, isHttps } from "./request-facts.ts";

const NAME = "midman-session";

/** The session cookie's name, with the prefix that `cookieName` adds on https. */
export function sessionCookieName(request?: Request): string {
  return cookieName(NAME, request);
}

/** The attributes of the session cookie, for Elysia's `cookie`. */
export function sessionCookieOptions(request?: Request) {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps(request) } as const;
}

/** The session token in a request, if it is well-formed. */
export function sessionTokenOf(request: Request): string | undefined {
  const value = cookieOf(request, sessionCookieName(request));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** The `Set-Cookie` value that gives a browser its session, for routes that return a plain Response. */
export function sessionSetCookie(token: string, expires: Date, request?: Request): string {
  return `${sessionCookieName(request)}=${token}; ${cookieAttributes(request)}; Expires=${expires.toUTCString()}`;
}

/** The `Set-Cookie` value that clears the session. */
export function sessionClearCookie(request?: Request): string {
  return `${sessionCookieName(request)}=; ${cookieAttributes(request)}; Max-Age=0`;
}

/** `Clear-Site-Data` at sign-out: everything that pages stored in the browser. */
export const pageStorageDirective = '"storage"';

/**
 * Headers that sign a browser out, for routes that return a plain Response: they clear the session and everything that pages stored (unsent
 * texts and pictures, drafts, the worker's notifications), which the next person at the browser must not see.
 */
export function signedOutHeaders(request?: Request): Headers {
  return new Headers({ "Set-Cookie": sessionClearCookie(request), "Clear-Site-Data": pageStorageDirective });
}

function cookieAttributes(request?: Request): string {
  return `Path=/; HttpOnly; ${cookieGuard(request)}`;
}
