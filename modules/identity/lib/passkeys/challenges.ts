import { randomBytes } from "node:crypto";
import { and, eq, gt, inArray } from "drizzle-orm";
import { db } from "#db/client";
import { type challengePurposes, passkeyChallengesTable } from "../core/schema.ts";
import { cookieName, cookieOf } from "../request/request-facts.ts";
import { hashToken, newToken } from "../request/tokens.ts";

export type ChallengePurpose = (typeof challengePurposes)[number];
/** A ceremony in progress. The routes keep the token in a cookie of this browser; no page shows it. */
export type ChallengeTicket = { token: string; expires: Date };
type ChallengeOwner = { userId: number; userHandle?: string };

/** Five minutes (ms): long enough to fetch a phone from the next room. */
export const challengeLifetime = 5 * 60_000;
const NAME = "midman-passkey";

/** Creates a challenge of 256 random bits for one ceremony of the browser that receives the ticket. */
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
 * Uses a challenge up and returns it, if it was created for one of these purposes and has not expired. Of two requests with the same
 * ticket, one gets it, whether or not its credential is right: a challenge can be tried only once.
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

/** The ticket in a request, if it is well-formed. */
export function passkeyTicketOf(request: Request): string | undefined {
  const value = cookieOf(request, passkeyCookieName(request));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}
