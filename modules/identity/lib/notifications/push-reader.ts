import type { Executor } from "#db/client";
import { isAboutMoney, type PushEvent, registerPushReader } from "#modules/mailer";
import { userById } from "../core/users/find-users.ts";
import { isQuiet, notificationPreferencesOf } from "./quiet-hours.ts";

// Mailer knows no people: it asks here.
registerPushReader(pushReader);

/**
 * How a person is told of an event: in their language, and in their quiet hours without a sound, unless it is about money.
 * Nobody who is gone is told, nor who does not want messages told.
 */
async function pushReader(exec: Executor, userId: number, event: PushEvent, at: Date) {
  const user = await userById(exec, userId);
  if (user === undefined || user.deletedAt !== null) return undefined;
  const telling = notificationPreferencesOf(user);
  if (event === "unreadMessages" && !telling.pushMessages) return undefined;
  return { language: user.language, aloud: isAboutMoney(event) || !isQuiet(telling, at) };
}
