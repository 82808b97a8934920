import { and, asc, eq, inArray, ne, or } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { PushSubscriptionInput } from "../../forms.ts";
import { isPushService } from "./push-service.ts";
import { pushSubscriptionsTable, type SubscriptionRow } from "./schema.ts";

/** The most browsers that one user is notified on; another one replaces the oldest. */
const MOST = 10;

/** A browser that is notified, as its user sees it. */
export type PushDevice = {
  id: number;
  sessionId: number;
  /** The browser's full user agent. */
  device: string;
  createdAt: Date;
  /** When a push last reached its service. */
  usedAt: Date | null;
};

/**
 * Registers a browser for push notifications. A browser that another user registered becomes this user's, so that two users who share it
 * never read each other's notifications. Refuses PUSH_SERVICE_UNKNOWN for an endpoint that is no push service (`isPushService`), and
 * PUSH_OF_ANOTHER for another user's endpoint without the keys that its browser holds: somebody who knows only the endpoint must not
 * silence its owner.
 */
export async function keepPushDevice(
  tx: Tx,
  owner: { userId: number; sessionId: number; device: string; at: Date },
  { endpoint, keys }: PushSubscriptionInput,
): Promise<{ ok: true; id: number } | { ok: false; code: "PUSH_SERVICE_UNKNOWN" | "PUSH_OF_ANOTHER" }> {
  if (!isPushService(endpoint)) return { ok: false, code: "PUSH_SERVICE_UNKNOWN" };
  const { at, ...whose } = owner;
  const row = { ...whose, ...keys, usedAt: null, failures: 0, createdAt: at };
  const sameKeys = and(
    eq(pushSubscriptionsTable.p256dh, keys.p256dh),
    eq(pushSubscriptionsTable.auth, keys.auth),
  );
  const [kept] = await tx
    .insert(pushSubscriptionsTable)
    .values({ endpoint, ...row })
    .onConflictDoUpdate({
      target: pushSubscriptionsTable.endpoint,
      set: row,
      setWhere: or(eq(pushSubscriptionsTable.userId, owner.userId), sameKeys),
    })
    .returning({ id: pushSubscriptionsTable.id });
  if (kept === undefined) return { ok: false, code: "PUSH_OF_ANOTHER" };
  // A browser has one subscription; an older one of the same session is outdated.
  await tx
    .delete(pushSubscriptionsTable)
    .where(
      and(
        eq(pushSubscriptionsTable.sessionId, owner.sessionId),
        ne(pushSubscriptionsTable.endpoint, endpoint),
      ),
    );
  const all = (await rowsOf(tx, owner.userId)).filter(({ id }) => id !== kept.id);
  const over = all.slice(0, Math.max(0, all.length + 1 - MOST)).map(({ id }) => id);
  if (over.length > 0)
    await tx.delete(pushSubscriptionsTable).where(inArray(pushSubscriptionsTable.id, over));
  return { ok: true, id: kept.id };
}

/** The browsers that a user is notified on, oldest first. */
export async function pushDevicesOf(exec: Executor, userId: number): Promise<PushDevice[]> {
  const rows = await rowsOf(exec, userId);
  return rows.map(({ id, sessionId, device, createdAt, usedAt }) => ({
    ...{ id, sessionId, device, createdAt, usedAt },
  }));
}

/** Unsubscribes one of a user's browsers; false when it is not theirs. */
export async function removePushDevice(tx: Tx, userId: number, id: number): Promise<boolean> {
  const mine = and(eq(pushSubscriptionsTable.userId, userId), eq(pushSubscriptionsTable.id, id));
  return (
    (await tx.delete(pushSubscriptionsTable).where(mine).returning({ id: pushSubscriptionsTable.id }))
      .length > 0
  );
}

/**
 * Forgets the browsers of sessions that were ended, so that a user who signed out gets no notifications there. `sessionId` limits it to one
 * session, `kept` spares one.
 */
export async function forgetPushDevices(
  tx: Tx,
  { userId, sessionId, kept }: { userId: number; sessionId?: number; kept?: number },
): Promise<void> {
  await tx
    .delete(pushSubscriptionsTable)
    .where(
      and(
        eq(pushSubscriptionsTable.userId, userId),
        sessionId === undefined ? undefined : eq(pushSubscriptionsTable.sessionId, sessionId),
        kept === undefined ? undefined : ne(pushSubscriptionsTable.sessionId, kept),
      ),
    );
}

/** Forgets every device of every user, for example when all users are signed out. */
export async function forgetEveryPushDevice(tx: Tx): Promise<void> {
  await tx.delete(pushSubscriptionsTable);
}

/** Moves a browser's subscription to the session that replaced its session. */
export async function movePushDevice(tx: Tx, from: number, to: number): Promise<void> {
  await tx
    .update(pushSubscriptionsTable)
    .set({ sessionId: to })
    .where(eq(pushSubscriptionsTable.sessionId, from));
}

function rowsOf(exec: Executor, userId: number): Promise<SubscriptionRow[]> {
  return exec
    .select()
    .from(pushSubscriptionsTable)
    .where(eq(pushSubscriptionsTable.userId, userId))
    .orderBy(asc(pushSubscriptionsTable.createdAt), asc(pushSubscriptionsTable.id));
}
