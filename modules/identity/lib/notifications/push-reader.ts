import type { Executor } from "#db/client";
import { isAboutMoney, type PushEvent, registerPushReader } from "#modules/mailer";
import { userById } from "../core/users/find-users.ts";
import { isQuiet, notificationPreferencesOf } from "./quiet-hours.ts";

// The mailer does not know people: it asks through this function.
registerPushReader(pushReader);

/**
 * How a person is notified of an event: the language, and whether with sound (outside quiet hours, or about money). Undefined if the person
 * is deleted, or does not want push notifications of messages.
 */
async function pushReader(exec: Executor, userId: number, event: PushEvent, at: Date) {
  const user = await userById(exec, userId);
  if (user === undefined || user.deletedAt !== null) return undefined;
  const notificationPreferences = notificationPreferencesOf(user);
  if (event === "unreadMessages" && !notificationPreferences.pushMessages) return undefined;
  return { language: user.language, withSound: isAboutMoney(event) || !isQuiet(notificationPreferences, at) };
}
