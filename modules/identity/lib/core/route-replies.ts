import type { Cookie } from "elysia";
import { translateText } from "#locales";
import { type LoginTicket, ticketCookieName } from "../login/login-tickets.ts";
import { pageStorageDirective, sessionCookieName, sessionCookieOptions } from "../request/session-cookie.ts";
import type { OpenedSession } from "../sessions/sessions.ts";
import type { Actor } from "./actor.ts";

type RouteCookies = { cookie: Record<string, Cookie<unknown>>; request: Request };

/** Gives a browser its session. */
export function issueSessionCookie(
  { cookie, request }: RouteCookies,
  { token, expires }: OpenedSession,
): void {
  cookie[sessionCookieName(request)]?.set({ ...sessionCookieOptions(request), value: token, expires });
}

type SignOutContext = RouteCookies & { set: { headers: Record<string, string | number> } };

/** Takes a browser's session back, and has it forget what pages kept in it. */
export function expireSessionCookie({ cookie, request, set }: SignOutContext): void {
  set.headers["clear-site-data"] = pageStorageDirective;
  cookie[sessionCookieName(request)]?.set({ ...sessionCookieOptions(request), value: "", maxAge: 0 });
}

/** Leaves the ticket of a login that waits for its code with this browser alone. */
export function issueTicketCookie({ cookie, request }: RouteCookies, { token, expires }: LoginTicket): void {
  cookie[ticketCookieName(request)]?.set({ ...sessionCookieOptions(request), value: token, expires });
}

/** Takes a ticket back. */
export function expireTicketCookie({ cookie, request }: RouteCookies): void {
  cookie[ticketCookieName(request)]?.set({ ...sessionCookieOptions(request), value: "", maxAge: 0 });
}

/** What a call answers that did what was asked: the specification's `success` and `message`. */
export function replySuccess(actor: Actor, key: string) {
  return { success: true, message: translateText(actor.language, `identity.${key}`) };
}
