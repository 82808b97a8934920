import { and, eq, gt, inArray, isNull, lt, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import { isTrial } from "#config";
import { db, type Executor, type Tx } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { forgetEveryPushDevice, forgetPushDevices } from "#modules/mailer";
import { mustAgreeCondition } from "../consents/stored-consents.ts";
import type { Actor, Member, Origin } from "../core/actor.ts";
import { sessionLifetimes, touchIntervalMs } from "../core/lifetimes.ts";
import {
  loginTicketsTable,
  passkeyChallengesTable,
  passkeysTable,
  sessionsTable,
  tokensTable,
  usersTable,
} from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { nameRefusals } from "../names/name-refusals.ts";
import { hashToken, newToken } from "../request/tokens.ts";
import { isSuspended, restrictionOf } from "../restrictions/restriction-in-force.ts";
import { suspendedSessionsTable } from "../restrictions/schema.ts";
import { announceRevokedSessions } from "./session-revocation.ts";

/** What a route needs to give the session to the browser. The token exists only here and in the cookie. */
export type OpenedSession = { token: string; expires: Date };

/**
 * Opens a session with a new token; `passkeyId` is the passkey that its owner has just used, null for a password. The caller has locked the
 * user's row.
 */
export async function openSession(
  tx: Tx,
  user: { id: number; isAdmin: boolean },
  origin: Origin,
  now: Date,
  passkeyId: number | null = null,
): Promise<OpenedSession & { id: number }> {
  const token = newToken();
  const expires = new Date(now.getTime() + sessionLifetimes(user.isAdmin).absolute);
  const [row] = await tx
    .insert(sessionsTable)
    .values({
      tokenHash: hashToken(token),
      userId: user.id,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: expires,
      ip: origin.ip,
      device: origin.device,
      passkeyId,
    })
    .returning({ id: sessionsTable.id });
  if (row === undefined) throw new Error("identity: a session was not stored");
  return { id: row.id, token, expires };
}

/**
 * The actor's row, locked as by `holdUser`; undefined if the user is deleted or their session has ended since it was read. A request that
 * waited for the row while the password was changed, or the person signed out, therefore does nothing.
 */
export async function holdMember(
  tx: Tx,
  { userId, sessionId }: Pick<Member, "userId" | "sessionId">,
): Promise<UserRow | undefined> {
  const user = await holdUser(tx, userId);
  const own = and(eq(sessionsTable.id, sessionId), eq(sessionsTable.userId, userId));
  return (await tx.$count(sessionsTable, own)) > 0 ? user : undefined;
}

/** Ends one session of a user and its browser's push subscription; false if it had already ended. */
export async function endSession(tx: Tx, userId: number, sessionId: number): Promise<boolean> {
  await forgetPushDevices(tx, { userId, sessionId });
  const ended = await endSessionsWhere(
    tx,
    and(eq(sessionsTable.userId, userId), eq(sessionsTable.id, sessionId)),
  );
  return ended > 0;
}

/** Ends the sessions that a passkey opened, except `kept`; returns how many. The caller has locked the user's row. */
export async function endSessionsOfPasskey(
  tx: Tx,
  userId: number,
  passkeyId: number,
  kept?: number,
): Promise<number> {
  const opened = await tx
    .select({ id: sessionsTable.id })
    .from(sessionsTable)
    .where(and(eq(sessionsTable.userId, userId), eq(sessionsTable.passkeyId, passkeyId)));
  let ended = 0;
  for (const { id } of opened) if (id !== kept && (await endSession(tx, userId, id))) ended += 1;
  return ended;
}

/**
 * Ends every session of a user, except `kept`, and every login that waits for its code; returns the number of sessions. The caller has
 * locked the user's row.
 */
export async function endSessionsOf(tx: Tx, userId: number, kept?: number): Promise<number> {
  await tx.delete(loginTicketsTable).where(eq(loginTicketsTable.userId, userId));
  await tx.delete(passkeyChallengesTable).where(eq(passkeyChallengesTable.userId, userId));
  await forgetPushDevices(tx, kept === undefined ? { userId } : { userId, kept });
  return endSessionsWhere(
    tx,
    and(eq(sessionsTable.userId, userId), kept === undefined ? undefined : ne(sessionsTable.id, kept)),
  );
}

/**
 * Ends all sessions of all people and their push subscriptions, and voids every mailed link and every login that waits for its code;
 * returns the number of sessions. For a restored database, which does not know who has signed out since.
 */
export async function endEverySession(tx: Tx): Promise<number> {
  await tx.delete(loginTicketsTable);
  await tx.delete(passkeyChallengesTable);
  await tx.delete(tokensTable);
  await tx.delete(suspendedSessionsTable);
  await forgetEveryPushDevice(tx);
  return endSessionsWhere(tx, undefined);
}

/** A browser has one session: its old one ends when it gets another. */
export async function endSessionOfActor(tx: Tx, actor: Actor): Promise<void> {
  if (actor.kind === "user") await endSession(tx, actor.userId, actor.sessionId);
}

async function endSessionsWhere(tx: Tx, which: SQL | undefined): Promise<number> {
  const ended = await tx
    .delete(sessionsTable)
    .where(which)
    .returning({ sessionId: sessionsTable.id, userId: sessionsTable.userId });
  for (const session of ended) announceRevokedSessions(tx, session);
  return ended.length;
}

type SessionMember = Omit<Member, keyof Origin>;

/** The user of a live session, found by its token in one query; updates its last-seen time at most once a minute. */
export async function memberOf(token: string, now: Date): Promise<SessionMember | undefined> {
  const [row] = await selectSessionByToken(db(), { hash: hashToken(token), now });
  return row && resolveLiveMember(row, now);
}

/**
 * Whether a session is still live, read from the database now; for sockets, which outlive the request that opened them. Counts as use of
 * the session.
 */
export async function isSessionLive(sessionId: number, now: Date): Promise<boolean> {
  const [row] = await selectSessionById(db(), { id: sessionId, now });
  return row !== undefined && (await resolveLiveMember(row, now)) !== undefined;
}

/**
 * Which of these sessions are still live, in one query; for sockets that only listen. Unlike a request it does not count as use of a
 * session, so an open page alone does not keep a session from expiring.
 */
export async function findLiveSessions(ids: readonly number[], now: Date): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db()
    .select({
      ...{ id: sessionsTable.id, lastSeenAt: sessionsTable.lastSeenAt, isAdmin: usersTable.isAdmin },
      ...{ restriction: usersTable.restriction, restrictedUntil: usersTable.restrictedUntil },
    })
    .from(sessionsTable)
    .innerJoin(usersTable, eq(usersTable.id, sessionsTable.userId))
    .where(
      and(
        inArray(sessionsTable.id, [...new Set(ids)]),
        gt(sessionsTable.expiresAt, now),
        isNull(usersTable.deletedAt),
      ),
    );
  const fresh = rows.filter(
    (row) =>
      now.getTime() - row.lastSeenAt.getTime() <= sessionLifetimes(row.isAdmin).idle &&
      !isSuspended(row, now),
  );
  return new Set(fresh.map(({ id }) => id));
}

const sessionFields = {
  sessionId: sessionsTable.id,
  authenticatedAt: sessionsTable.authenticatedAt,
  lastSeenAt: sessionsTable.lastSeenAt,
  userId: usersTable.id,
  username: usersTable.username,
  displayName: usersTable.displayName,
  email: usersTable.email,
  avatarInitials: usersTable.avatarInitials,
  isAdmin: usersTable.isAdmin,
  mustChangePassword: usersTable.mustChangePassword,
  mustAgree: mustAgreeCondition,
  secondFactorAt: usersTable.secondFactorAt,
  passkeyId: sessionsTable.passkeyId,
  // Queried for administrators only. A copied passkey counts: losing it must not make the password sufficient.
  hasPasskey: sql<boolean>`(${usersTable.isAdmin} AND EXISTS (SELECT 1 FROM ${passkeysTable} WHERE ${passkeysTable.userId} = ${usersTable.id}))`,
  restriction: usersTable.restriction,
  restrictedUntil: usersTable.restrictedUntil,
};

const selectUnexpiredSession = (exec: Executor, which: SQL, now: Placeholder) =>
  exec
    .select(sessionFields)
    .from(sessionsTable)
    .innerJoin(usersTable, eq(usersTable.id, sessionsTable.userId))
    .where(and(which, gt(sessionsTable.expiresAt, now), isNull(usersTable.deletedAt)));

const selectSessionByToken = prepareQuery<{ hash: string; now: Date }>()("session_by_token", (exec, value) =>
  selectUnexpiredSession(exec, eq(sessionsTable.tokenHash, value("hash")), value("now")),
);

const selectSessionById = prepareQuery<{ id: number; now: Date }>()("session_by_id", (exec, value) =>
  selectUnexpiredSession(exec, eq(sessionsTable.id, value("id")), value("now")),
);

type SessionRow = Awaited<ReturnType<typeof selectSessionByToken>>[number];

/**
 * The user of an unexpired session, unless they are suspended or it was unused for too long; updates its last-seen time at most once a
 * minute.
 */
async function resolveLiveMember(row: SessionRow, now: Date): Promise<SessionMember | undefined> {
  // A suspension ends all existing sessions; an older version running at the same time may have opened one since.
  if (isSuspended(row, now)) return undefined;
  const {
    lastSeenAt,
    email,
    secondFactorAt,
    passkeyId,
    hasPasskey,
    restriction: _,
    restrictedUntil: __,
    ...member
  } = row;
  const unused = now.getTime() - lastSeenAt.getTime();
  if (unused > sessionLifetimes(member.isAdmin).idle) return undefined;
  if (unused >= touchIntervalMs) await touchSession(member.sessionId, now);
  const mustChooseName = nameRefusals(member) !== undefined;
  const passwordAlone = member.isAdmin && secondFactorAt === null && passkeyId === null && !isTrial();
  const mustSetUpFactor = passwordAlone && !hasPasskey;
  const mustUsePasskey = passwordAlone && hasPasskey;
  const musts = { mustSetUpFactor, mustUsePasskey, mustChooseName };
  return { kind: "user", ...member, email: email ?? "", ...musts, restriction: restrictionOf(row, now) };
}

async function touchSession(id: number, now: Date): Promise<void> {
  await db()
    .update(sessionsTable)
    .set({ lastSeenAt: now })
    .where(and(eq(sessionsTable.id, id), lt(sessionsTable.lastSeenAt, now)));
}
