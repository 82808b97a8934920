import type { Cookie } from "elysia";
import { text } from "#locales";
import { type LoginTicket, ticketCookieName } from "../login/login-tickets.ts";
import { keptByPages, sessionCookieName, sessionCookieOptions } from "../request/session-cookie.ts";
import type { OpenedSession } from "../sessions/sessions.ts";
import type { Actor } from "./actor.ts";

type Door = { cookie: Record<string, Cookie<unknown>>; request: Request };

/** Gives a browser its session. */
export function hand({ cookie, request }: Door, { token, expires }: OpenedSession): void {
  cookie[sessionCookieName(request)]?.set({ ...sessionCookieOptions(request), value: token, expires });
}

type Leaving = Door & { set: { headers: Record<string, string | number> } };

/** Takes a browser's session back, and has it forget what pages kept in it. */
export function takeBack({ cookie, request, set }: Leaving): void {
  set.headers["clear-site-data"] = keptByPages;
  cookie[sessionCookieName(request)]?.set({ ...sessionCookieOptions(request), value: "", maxAge: 0 });
}

/** Leaves the ticket of a login that waits for its code with this browser alone. */
export function handTicket({ cookie, request }: Door, { token, expires }: LoginTicket): void {
  cookie[ticketCookieName(request)]?.set({ ...sessionCookieOptions(request), value: token, expires });
}

/** Takes a ticket back. */
export function takeTicketBack({ cookie, request }: Door): void {
  cookie[ticketCookieName(request)]?.set({ ...sessionCookieOptions(request), value: "", maxAge: 0 });
}

/** What a call answers that did what was asked: the specification's `success` and `message`. */
export function done(actor: Actor, key: string) {
  return { success: true, message: text(actor.language, `identity.${key}`) };
}
