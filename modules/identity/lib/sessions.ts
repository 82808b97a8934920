import { and, eq, gt, isNull, lt } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import type { Member, Origin } from "./actor.ts";
import { announceEnded } from "./ended.ts";
import { sessionLifetimes, touchEvery } from "./lifetimes.ts";
import { sessions, users } from "./schema.ts";
import { hashToken, newToken } from "./token.ts";

/** What a door needs to hand the session to the browser. The token exists here and in the cookie only. */
export type OpenedSession = { id: number; token: string; expiresAt: Date };

/** Opens a session with a token of its own. The caller holds the user's row, so that no revocation slips between. */
export async function openSession(
  tx: Tx,
  user: { id: number; isAdmin: boolean },
  origin: Origin,
  now: Date,
): Promise<OpenedSession> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + sessionLifetimes(user.isAdmin).absolute);
  const [row] = await tx
    .insert(sessions)
    .values({
      tokenHash: hashToken(token),
      userId: user.id,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt,
      ip: origin.ip,
      device: origin.device,
    })
    .returning({ id: sessions.id });
  if (row === undefined) throw new Error("identity: a session was not stored");
  return { id: row.id, token, expiresAt };
}

/** Ends one session; false when it was over already. */
export async function endSession(tx: Tx, userId: number, sessionId: number): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  if (ended.length > 0) announceEnded(tx, { userId, sessionId });
  return ended.length > 0;
}

/** Ends every session of a user; answers how many. The caller holds the user's row. */
export async function endSessionsOf(tx: Tx, userId: number): Promise<number> {
  const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id });
  announceEnded(tx, { userId });
  return ended.length;
}

/** The live session a token stands for, with its user, in one query; its last-seen time slides once a minute. */
export async function memberOf(token: string, now: Date): Promise<Omit<Member, keyof Origin> | undefined> {
  const [row] = await db()
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, now), isNull(users.deletedAt)),
    );
  if (row === undefined) return undefined;
  const { session, user } = row;
  const unused = now.getTime() - session.lastSeenAt.getTime();
  if (unused > sessionLifetimes(user.isAdmin).idle) return undefined;
  if (unused >= touchEvery) {
    await db()
      .update(sessions)
      .set({ lastSeenAt: now })
      .where(and(eq(sessions.id, session.id), lt(sessions.lastSeenAt, now)));
  }
  return {
    kind: "user",
    userId: user.id,
    sessionId: session.id,
    username: user.username,
    displayName: user.displayName,
    email: user.email ?? "",
    avatarInitials: user.avatarInitials,
    isAdmin: user.isAdmin,
    authenticatedAt: session.authenticatedAt,
    mustChangePassword: user.mustChangePassword,
  };
}
