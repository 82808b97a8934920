import { and, asc, eq, inArray, ne, or } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { PushSubscriptionInput } from "../../forms.ts";
import { isPushService } from "./push-service.ts";
import { type SubscriptionRow, subscriptions } from "./schema.ts";

/** How many browsers one person may be told on; a further one takes the oldest's place. */
const MOST = 10;

/** A browser that is told, as its person sees it. */
export type PushDevice = {
  id: number;
  sessionId: number;
  /** What the browser calls itself, at length. */
  device: string;
  createdAt: Date;
  /** When a push last reached its service. */
  usedAt: Date | null;
};

/**
 * Keeps a browser to be told on. The same browser again, whoever's it was, is this person's from now on: two people who
 * share it never read each other's. Refuses an address that leads to no push service (`isPushService`), and another person's
 * that comes without the keys its browser holds: whoever got hold of an address alone must not silence its owner.
 */
export async function keepPushDevice(
  tx: Tx,
  owner: { userId: number; sessionId: number; device: string; at: Date },
  { endpoint, keys }: PushSubscriptionInput,
): Promise<{ ok: true; id: number } | { ok: false; code: "PUSH_SERVICE_UNKNOWN" | "PUSH_OF_ANOTHER" }> {
  if (!isPushService(endpoint)) return { ok: false, code: "PUSH_SERVICE_UNKNOWN" };
  const { at, ...whose } = owner;
  const row = { ...whose, ...keys, usedAt: null, failures: 0, createdAt: at };
  const sameKeys = and(eq(subscriptions.p256dh, keys.p256dh), eq(subscriptions.auth, keys.auth));
  const [kept] = await tx
    .insert(subscriptions)
    .values({ endpoint, ...row })
    .onConflictDoUpdate({
      target: subscriptions.endpoint,
      set: row,
      setWhere: or(eq(subscriptions.userId, owner.userId), sameKeys),
    })
    .returning({ id: subscriptions.id });
  if (kept === undefined) return { ok: false, code: "PUSH_OF_ANOTHER" };
  // A browser has one; an older one of the same session is what it had before.
  await tx
    .delete(subscriptions)
    .where(and(eq(subscriptions.sessionId, owner.sessionId), ne(subscriptions.endpoint, endpoint)));
  const all = (await rowsOf(tx, owner.userId)).filter(({ id }) => id !== kept.id);
  const over = all.slice(0, Math.max(0, all.length + 1 - MOST)).map(({ id }) => id);
  if (over.length > 0) await tx.delete(subscriptions).where(inArray(subscriptions.id, over));
  return { ok: true, id: kept.id };
}

/** The browsers a person is told on, the oldest first. */
export async function pushDevicesOf(exec: Executor, userId: number): Promise<PushDevice[]> {
  const rows = await rowsOf(exec, userId);
  return rows.map(({ id, sessionId, device, createdAt, usedAt }) => ({
    ...{ id, sessionId, device, createdAt, usedAt },
  }));
}

/** Tells one of a person's browsers nothing any more; false when it is not theirs. */
export async function removePushDevice(tx: Tx, userId: number, id: number): Promise<boolean> {
  const mine = and(eq(subscriptions.userId, userId), eq(subscriptions.id, id));
  return (await tx.delete(subscriptions).where(mine).returning({ id: subscriptions.id })).length > 0;
}

/** Forgets the browsers of sessions that were ended: whoever signs out is told nothing there any more. */
export async function forgetPushDevices(
  tx: Tx,
  { userId, sessionId, kept }: { userId: number; sessionId?: number; kept?: number },
): Promise<void> {
  await tx
    .delete(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, userId),
        sessionId === undefined ? undefined : eq(subscriptions.sessionId, sessionId),
        kept === undefined ? undefined : ne(subscriptions.sessionId, kept),
      ),
    );
}

/** Forgets every device of everybody, as when all are signed out. */
export async function forgetEveryPushDevice(tx: Tx): Promise<void> {
  await tx.delete(subscriptions);
}

/** A browser whose session got another one in its place stays told. */
export async function movePushDevice(tx: Tx, from: number, to: number): Promise<void> {
  await tx.update(subscriptions).set({ sessionId: to }).where(eq(subscriptions.sessionId, from));
}

function rowsOf(exec: Executor, userId: number): Promise<SubscriptionRow[]> {
  return exec
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(asc(subscriptions.createdAt), asc(subscriptions.id));
}
