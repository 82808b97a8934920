import { z } from "zod";
import { describeCall } from "#calls";
import {
  notificationPreferencesSchema,
  notifiedDeviceSchema,
  successReplySchema,
} from "../core/responses.ts";

export const showPushKey = describeCall({
  summary: "Get the public key of push notifications",
  group: "Notifications",
  by: "anybody",
  answers: z.object({ key: z.string() }),
});

export const listSubscriptions = describeCall({
  summary: "List your browsers with push notifications",
  group: "Notifications",
  by: "user",
  answers: z.array(notifiedDeviceSchema),
});

export const subscribeBrowser = describeCall({
  summary: "Subscribe this browser to push notifications",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: ["PUSH_OF_ANOTHER", "PUSH_SERVICE_UNKNOWN", "THROTTLED"],
});

export const unsubscribeBrowser = describeCall({
  summary: "Unsubscribe this browser from push notifications",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: ["NOT_FOUND"],
});

export const unsubscribeOtherBrowser = describeCall({
  summary: "Unsubscribe a browser from push notifications",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
});

export const testPush = describeCall({
  summary: "Send yourself a test notification",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: ["PUSH_OFF", "THROTTLED"],
});

export const showNotificationPreferences = describeCall({
  summary: "Get your notification preferences",
  group: "Notifications",
  by: "user",
  answers: notificationPreferencesSchema,
});

export const updateNotificationPreferences = describeCall({
  summary: "Replace your notification preferences",
  group: "Notifications",
  by: "user",
  answers: successReplySchema.extend({ telling: notificationPreferencesSchema }),
  refuses: ["THROTTLED"],
});
