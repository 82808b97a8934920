import { and, eq, gt } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { loginTicketsTable } from "../core/schema.ts";
import { cookieGuard, cookieName, cookieOf } from "../request/request-facts.ts";
import { hashToken, newToken } from "../request/tokens.ts";

/** A login with a correct password that waits for its code. The routes keep the token in a cookie; no page shows it. */
export type LoginTicket = { token: string; expires: Date };
export type LoginAction = "login" | "admin_login";

/** How long a sign-in waits for its one-time code (ms). */
export const ticketLifetimeMs = 5 * 60_000;
const NAME = "midman-login";

/** Creates a ticket for five minutes. The caller has locked the user's row and checked the password. */
export async function openTicket(
  tx: Tx,
  userId: number,
  action: LoginAction,
  now: Date,
): Promise<LoginTicket> {
  const token = newToken();
  const expires = new Date(now.getTime() + ticketLifetimeMs);
  await tx
    .insert(loginTicketsTable)
    .values({ tokenHash: hashToken(token), userId, action, createdAt: now, expiresAt: expires });
  return { token, expires };
}

/** The ticket, if it is still valid. */
export async function readTicket(exec: Executor, token: string, now: Date) {
  const [row] = await exec.select().from(loginTicketsTable).where(workingTicketCondition(token, now));
  return row;
}

/** Uses the ticket up. */
export async function endTicket(tx: Tx, token: string): Promise<void> {
  await tx.delete(loginTicketsTable).where(eq(loginTicketsTable.tokenHash, hashToken(token)));
}

function workingTicketCondition(token: string, now: Date) {
  return and(eq(loginTicketsTable.tokenHash, hashToken(token)), gt(loginTicketsTable.expiresAt, now));
}

/** The name of the ticket's cookie, by the same rule as the session's. */
export function ticketCookieName(request?: Request): string {
  return cookieName(NAME, request);
}

/** The ticket in a request, if it is well-formed. */
export function loginTicketOf(request: Request): string | undefined {
  const value = cookieOf(request, ticketCookieName(request));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** The `Set-Cookie` value that stores the ticket in this browser only. */
export function ticketSetCookie({ token, expires }: LoginTicket, request?: Request): string {
  return `${ticketCookieName(request)}=${token}; ${cookieAttributes(request)}; Expires=${expires.toUTCString()}`;
}

/** The `Set-Cookie` value that clears the ticket. */
export function ticketClearCookie(request?: Request): string {
  return `${ticketCookieName(request)}=; ${cookieAttributes(request)}; Max-Age=0`;
}

function cookieAttributes(request?: Request): string {
  return `Path=/; HttpOnly; ${cookieGuard(request)}`;
}
