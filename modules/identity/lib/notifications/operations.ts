import { z } from "zod";
import { describeCall } from "#calls";
import {
  notificationPreferencesSchema,
  notifiedDeviceSchema,
  successReplySchema,
} from "../core/responses.ts";
import type {
  chooseNotificationPreferences,
  readNotificationPreferences,
} from "./notification-preferences.ts";
import type {
  notifiedDevices,
  pushKey,
  sendTestNotification,
  turnPushOff,
  turnPushOn,
} from "./push-devices.ts";

export const showPushKey = describeCall<typeof pushKey>({
  summary: "Get the public key for push notifications",
  group: "Notifications",
  by: "anybody",
  answers: z.object({ key: z.string() }),
});

export const listSubscriptions = describeCall<typeof notifiedDevices>({
  summary: "List your browsers with push notifications",
  group: "Notifications",
  by: "user",
  answers: z.array(notifiedDeviceSchema),
});

export const subscribeBrowser = describeCall<typeof turnPushOn>({
  summary: "Subscribe this browser to push notifications",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: { PUSH_OF_ANOTHER: true, PUSH_SERVICE_UNKNOWN: true, THROTTLED: true },
});

export const unsubscribeBrowser = describeCall<typeof turnPushOff>({
  summary: "Remove this browser's push subscription",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: { NOT_FOUND: true },
});

export const unsubscribeOtherBrowser = describeCall<typeof turnPushOff>({
  summary: "Remove a browser's push subscription",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: { NOT_FOUND: true },
});

export const testPush = describeCall<typeof sendTestNotification>({
  summary: "Send yourself a test notification",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: { PUSH_OFF: true, THROTTLED: true },
});

export const showNotificationPreferences = describeCall<typeof readNotificationPreferences>({
  summary: "Get your notification preferences",
  group: "Notifications",
  by: "user",
  answers: notificationPreferencesSchema,
});

export const updateNotificationPreferences = describeCall<typeof chooseNotificationPreferences>({
  summary: "Replace your notification preferences",
  group: "Notifications",
  by: "user",
  answers: successReplySchema.extend({ telling: notificationPreferencesSchema }),
  refuses: { THROTTLED: true },
});
