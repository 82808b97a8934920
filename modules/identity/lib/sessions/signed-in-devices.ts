import { desc, eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { sessionLifetimes } from "../core/lifetimes.ts";
import { type NotFresh, type NotSignedIn, requireFreshLogin, requireUser } from "../core/require-actor.ts";
import type { SignedInDevice } from "../core/responses.ts";
import { sessionsTable } from "../core/schema.ts";
import { deviceName } from "../request/device-name.ts";
import { endSession, endSessionsOf, holdMember } from "./sessions.ts";

/** The actor's signed-in devices, last seen first. */
export async function sessionsOf(
  actor: Actor,
): Promise<{ ok: true; sessions: SignedInDevice[] } | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { member } = needed;
  const at = currentTime().getTime();
  const { idle } = sessionLifetimes(member.isAdmin);
  const rows = await db()
    .select()
    .from(sessionsTable)
    .where(eq(sessionsTable.userId, member.userId))
    .orderBy(desc(sessionsTable.lastSeenAt), desc(sessionsTable.id));
  const live = rows.filter((row) => row.expiresAt.getTime() > at && at - row.lastSeenAt.getTime() <= idle);
  return {
    ok: true,
    sessions: live.map((row) => ({
      sessionId: row.id,
      device: row.device,
      ...deviceName(row.device),
      ip: row.ip,
      createdAt: row.createdAt,
      lastSeenAt: row.lastSeenAt,
      current: row.id === member.sessionId,
    })),
  };
}

/** Signs out one of the actor's own devices; needs a fresh login. Refuses SESSION_NOT_FOUND for someone else's session too. */
export async function revokeSession(
  actor: Actor,
  sessionId: number,
): Promise<{ ok: true } | NotFresh | { ok: false; code: "SESSION_NOT_FOUND" }> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  return runInTransaction(async (tx) => {
    const ended = await endSession(tx, needed.member.userId, sessionId);
    if (!ended) return { ok: false, code: "SESSION_NOT_FOUND" };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "session_revoked",
      at,
      subject: { kind: "session", id: sessionId },
    });
    return { ok: true };
  });
}

/**
 * Signs out every device but the one that asks, and ends logins that wait for a code; returns the number of sessions ended. Needs a fresh
 * login: a thief with a stolen session must not sign its owner out.
 */
export async function revokeOtherSessions(actor: Actor): Promise<{ ok: true; ended: number } | NotFresh> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  const { userId, sessionId } = member;
  return runInTransaction(async (tx) => {
    if ((await holdMember(tx, member)) === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    const ended = await endSessionsOf(tx, userId, sessionId);
    if (ended === 0) return { ok: true, ended };
    const subject = { kind: "user", id: userId };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "sessions_revoked",
      at,
      subject,
      data: { sessionsEnded: ended },
    });
    return { ok: true, ended };
  });
}
