import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import type { PushSubscriptionInput } from "#forms/mailer";
import { recordAuditEntry } from "#modules/audit";
import { keepPushDevice, pushDevicesOf, queuePush, removePushDevice, vapidPublicKey } from "#modules/mailer";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotSignedIn, requireUser } from "../core/require-actor.ts";
import type { NotifiedDevice } from "../core/responses.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { deviceName } from "../request/device-name.ts";

/** The public half of the key that signs push messages; a browser binds its subscription to it. Not secret. */
export function pushKey(): Promise<string> {
  return vapidPublicKey();
}

/** Browsers on which the actor is notified, in order of subscription. */
export async function notifiedDevices(
  actor: Actor,
): Promise<{ ok: true; devices: NotifiedDevice[] } | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { userId, sessionId } = needed.member;
  const all = await pushDevicesOf(db(), userId);
  const devices = all.map(({ id, device, createdAt, usedAt, ...one }) => {
    return { id, ...deviceName(device), createdAt, usedAt, current: one.sessionId === sessionId };
  });
  return { ok: true, devices };
}

/**
 * Notifies the actor on the browser that asks, until it is signed out or removed. If the browser was another person's, it is now the
 * actor's. Refuses PUSH_SERVICE_UNKNOWN, PUSH_OF_ANOTHER (its address with other keys) and THROTTLED.
 */
export async function turnPushOn(
  actor: Actor,
  input: PushSubscriptionInput,
): Promise<
  | { ok: true }
  | NotSignedIn
  | ThrottleRefusal
  | { ok: false; code: "PUSH_SERVICE_UNKNOWN" | "PUSH_OF_ANOTHER" }
> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { userId, sessionId, device } = needed.member;
  const at = currentTime();
  const passed = await mayTry({ "push:user": String(userId) }, at);
  if (!passed.ok) return passed;
  return runInTransaction(async (tx) => {
    const kept = await keepPushDevice(tx, { userId, sessionId, device, at }, input);
    if (!kept.ok) return kept;
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "push_on",
      at,
      subject: { kind: "push_device", id: kept.id },
    });
    return { ok: true };
  });
}

/**
 * Stops notifications on one of the actor's browsers: the given one, or else the one that asks. Refuses NOT_FOUND if it is not subscribed
 * or is someone else's.
 */
export async function turnPushOff(
  actor: Actor,
  id?: number,
): Promise<{ ok: true } | NotSignedIn | { ok: false; code: "NOT_FOUND" }> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { userId, sessionId } = needed.member;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const mine = await pushDevicesOf(tx, userId);
    const found = mine.find((one) => (id === undefined ? one.sessionId === sessionId : one.id === id));
    if (found === undefined || !(await removePushDevice(tx, userId, found.id))) {
      return { ok: false, code: "NOT_FOUND" };
    }
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "push_off",
      at,
      subject: { kind: "push_device", id: found.id },
    });
    return { ok: true };
  });
}

/** Sends a test notification to each of the actor's browsers. Refuses PUSH_OFF if there is none, and THROTTLED. */
export async function sendTestNotification(
  actor: Actor,
): Promise<{ ok: true } | NotSignedIn | ThrottleRefusal | { ok: false; code: "PUSH_OFF" }> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  if ((await pushDevicesOf(db(), userId)).length === 0) return { ok: false, code: "PUSH_OFF" };
  const passed = await mayTry({ "push-test:user": String(userId) }, currentTime());
  if (!passed.ok) return passed;
  await runInTransaction((tx) => queuePush(tx, { userId, event: "test", params: {}, url: "/settings" }));
  return { ok: true };
}
