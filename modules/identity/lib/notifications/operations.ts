import { z } from "zod";
import { describeCall } from "#calls";
import {
  notificationPreferencesSchema,
  notifiedDeviceSchema,
  successReplySchema,
} from "../core/responses.ts";

export const showPushKey = describeCall({
  summary: "The key by which push services know Midman",
  group: "Notifications",
  by: "anybody",
  answers: z.object({ key: z.string() }),
});

export const listSubscriptions = describeCall({
  summary: "The browsers that one is notified on",
  group: "Notifications",
  by: "user",
  answers: z.array(notifiedDeviceSchema),
});

export const subscribeBrowser = describeCall({
  summary: "Be notified on this browser",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: ["PUSH_OF_ANOTHER", "PUSH_SERVICE_UNKNOWN", "THROTTLED"],
});

export const unsubscribeBrowser = describeCall({
  summary: "Be notified on this browser no more",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: ["NOT_FOUND"],
});

export const unsubscribeOtherBrowser = describeCall({
  summary: "Be notified on one of one's browsers no more",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
});

export const testPush = describeCall({
  summary: "Send a notification to oneself",
  group: "Notifications",
  by: "user",
  answers: successReplySchema,
  refuses: ["PUSH_OFF", "THROTTLED"],
});

export const showNotificationPreferences = describeCall({
  summary: "How and when one is told of messages",
  group: "Notifications",
  by: "user",
  answers: notificationPreferencesSchema,
});

export const updateNotificationPreferences = describeCall({
  summary: "Choose how and when one is told of messages",
  group: "Notifications",
  by: "user",
  answers: successReplySchema.extend({ telling: notificationPreferencesSchema }),
  refuses: ["THROTTLED"],
});
