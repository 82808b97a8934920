import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import type { NotificationPreferencesInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotSignedIn, requireUser } from "../core/require-actor.ts";
import type { NotificationPreferences } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, userById } from "../core/users/find-users.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { asMinutes, notificationPreferencesOf } from "./quiet-hours.ts";

type ChosenPreferences = { ok: true; notificationPreferences: NotificationPreferences };

/** How the actor is notified of unread messages, and their quiet hours. */
export async function readNotificationPreferences(actor: Actor): Promise<ChosenPreferences | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const user = await userById(db(), needed.member.userId);
  return user === undefined
    ? { ok: false, code: "AUTH_REQUIRED" }
    : { ok: true, notificationPreferences: notificationPreferencesOf(user) };
}

/** Replaces all of the actor's preferences. Times are Mongolian. Refuses THROTTLED, since each change is recorded in the log. */
export async function chooseNotificationPreferences(
  actor: Actor,
  input: NotificationPreferencesInput,
): Promise<ChosenPreferences | NotSignedIn | ThrottleRefusal> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const at = currentTime();
  const passed = await mayTry({ "telling:user": String(needed.member.userId) }, at);
  if (!passed.ok) return passed;
  return runInTransaction(async (tx) => {
    const user = await holdUser(tx, needed.member.userId);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    if (isDeepStrictEqual(notificationPreferencesOf(user), input))
      return { ok: true, notificationPreferences: input };
    const { pushMessages, mailMessages, quietFrom, quietTo } = input;
    const quiet = {
      quietFrom: quietFrom === null ? null : asMinutes(quietFrom),
      quietTo: quietTo === null ? null : asMinutes(quietTo),
    };
    await tx
      .update(usersTable)
      .set({ pushMessages, mailMessages, ...quiet, updatedAt: at })
      .where(eq(usersTable.id, user.id));
    const subject = { kind: "user", id: user.id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "notifications_chosen",
      at,
      subject,
      data: input,
    });
    return { ok: true, notificationPreferences: input };
  });
}
