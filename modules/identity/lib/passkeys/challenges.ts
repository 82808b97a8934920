import { randomBytes } from "node:crypto";
import { and, eq, gt, inArray } from "drizzle-orm";
import { db } from "#db/client";
import { type challengePurposes, passkeyChallengesTable } from "../core/schema.ts";
import { cookieGuard, cookieName, cookieOf } from "../request/request-facts.ts";
import { hashToken, newToken } from "../request/tokens.ts";

export type ChallengePurpose = (typeof challengePurposes)[number];
/** Stands for a ceremony under way. The door keeps it in a cookie of this browser, no page shows it. */
export type ChallengeTicket = { token: string; expires: Date };
type ChallengeOwner = { userId: number; userHandle?: string };

/** Five minutes, in milliseconds: long enough to fetch a phone from the next room. */
export const challengeLifetime = 5 * 60_000;
const NAME = "midman-passkey";

/** Makes a challenge of 256 random bits for one ceremony of the browser that gets the ticket. */
export async function openChallenge(
  purpose: ChallengePurpose,
  owner: ChallengeOwner | undefined,
  at: Date,
): Promise<{ challenge: string; ticket: ChallengeTicket }> {
  const [token, challenge] = [newToken(), randomBytes(32).toString("base64url")];
  const expires = new Date(at.getTime() + challengeLifetime);
  await db()
    .insert(passkeyChallengesTable)
    .values({
      tokenHash: hashToken(token),
      purpose,
      challenge,
      userId: owner?.userId ?? null,
      userHandle: owner?.userHandle ?? null,
      createdAt: at,
      expiresAt: expires,
    });
  return { challenge, ticket: { token, expires } };
}

/**
 * Uses a challenge up and answers it, if it was made for one of these purposes and has not expired. Of two that bring the same
 * ticket one gets it, whether or not what it brings is right: nothing can be tried twice against one challenge.
 */
export async function takeChallenge(
  ticket: string | undefined,
  purposes: readonly ChallengePurpose[],
  at: Date,
) {
  if (ticket === undefined) return undefined;
  const which = eq(passkeyChallengesTable.tokenHash, hashToken(ticket));
  const usable = and(
    which,
    inArray(passkeyChallengesTable.purpose, [...purposes]),
    gt(passkeyChallengesTable.expiresAt, at),
  );
  const [row] = await db().delete(passkeyChallengesTable).where(usable).returning();
  return row;
}

/** The name of the ticket's cookie, by the same rule as the session's. */
export function passkeyCookieName(request?: Request): string {
  return cookieName(NAME, request);
}

/** The ticket a request carries, if it has the shape of one. */
export function passkeyTicketOf(request: Request): string | undefined {
  const value = cookieOf(request, passkeyCookieName(request));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** The `Set-Cookie` value that takes the ticket back. */
export function passkeyClearCookie(request?: Request): string {
  return `${passkeyCookieName(request)}=; Path=/; HttpOnly; ${cookieGuard(request)}; Max-Age=0`;
}
