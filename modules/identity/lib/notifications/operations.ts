import { z } from "zod";
import { call } from "#calls";
import { done, notifiedDevice, telling } from "../core/responses.ts";

export const pushKey = call({
  summary: "The key by which push services know Midman",
  group: "Notifications",
  by: "anybody",
  answers: z.object({ key: z.string() }),
});

export const subscriptions = call({
  summary: "The browsers that one is notified on",
  group: "Notifications",
  by: "user",
  answers: z.array(notifiedDevice),
});

export const subscribe = call({
  summary: "Be notified on this browser",
  group: "Notifications",
  by: "user",
  answers: done,
  refuses: ["PUSH_OF_ANOTHER", "PUSH_SERVICE_UNKNOWN", "THROTTLED"],
});

export const unsubscribe = call({
  summary: "Be notified on this browser no more",
  group: "Notifications",
  by: "user",
  answers: done,
  refuses: ["NOT_FOUND"],
});

export const unsubscribeOther = call({
  summary: "Be notified on one of one's browsers no more",
  group: "Notifications",
  by: "user",
  answers: done,
});

export const tryPush = call({
  summary: "Send a notification to oneself",
  group: "Notifications",
  by: "user",
  answers: done,
  refuses: ["PUSH_OFF", "THROTTLED"],
});

export const howTold = call({
  summary: "How and when one is told of messages",
  group: "Notifications",
  by: "user",
  answers: telling,
});

export const chooseTelling = call({
  summary: "Choose how and when one is told of messages",
  group: "Notifications",
  by: "user",
  answers: done.extend({ telling: telling }),
  refuses: ["THROTTLED"],
});
