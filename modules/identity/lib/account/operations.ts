import { z } from "zod";
import { call } from "#calls";
import { done, notificationChoices, personalData, recoveryCodes, signedInDevice } from "../core/responses.ts";

const moment = z.iso.datetime();

export const sessions = call({
  summary: "One's signed-in devices",
  group: "Own account",
  by: "user",
  answers: z.array(signedInDevice),
});

export const endSession = call({
  summary: "Sign a device out",
  group: "Own account",
  by: "freshUser",
  answers: done,
  refuses: ["SESSION_NOT_FOUND"],
});

export const endOtherSessions = call({
  summary: "Sign every other device out",
  group: "Own account",
  by: "freshUser",
  answers: done.extend({ ended: z.int() }),
});

export const factor = call({
  summary: "How one's second factor stands",
  group: "Own account",
  by: "user",
  answers: z.object({
    on: z.boolean(),
    since: moment.nullable(),
    recoveryCodesLeft: z.int(),
    pending: z.boolean(),
  }),
});

export const beginFactor = call({
  summary: "Begin to set a second factor up; the secret is shown this once",
  group: "Own account",
  by: "freshUser",
  answers: done.extend({ secret: z.string(), uri: z.string() }),
  refuses: ["SECOND_FACTOR_ON"],
});

export const confirmFactor = call({
  summary: "Turn the second factor on with its first code",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodes,
  refuses: ["SECOND_FACTOR_NOT_BEGUN", "SECOND_FACTOR_ON", "SECOND_FACTOR_WRONG", "THROTTLED"],
});

export const renewCodes = call({
  summary: "New recovery codes; the former ones work no more",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodes,
  refuses: ["SECOND_FACTOR_OFF"],
});

export const removeFactor = call({
  summary: "Turn the second factor off",
  group: "Own account",
  by: "freshUser",
  answers: done,
});

export const notifications = call({
  summary: "Which mails one gets",
  group: "Notifications",
  by: "user",
  answers: notificationChoices,
});

export const chooseNotifications = call({
  summary: "Choose which mails one gets; what is left out stays",
  group: "Notifications",
  by: "user",
  answers: done.extend({ notifications: notificationChoices }),
});

export const data = call({
  summary: "All that is kept about oneself",
  group: "Own account",
  by: "freshUser",
  answers: personalData,
  refuses: ["THROTTLED"],
});

export const deleteAccount = call({
  summary: "Delete one's account",
  group: "Own account",
  by: "user",
  answers: done,
  refuses: [
    "CONFIRMATION_MISMATCH",
    "PASSWORD_WRONG",
    "SECOND_FACTOR_REQUIRED",
    "SECOND_FACTOR_WRONG",
    "LAST_ADMIN",
    "USER_NOT_FOUND",
    "MONEY_HELD",
    "TRADE_UNDER_WAY",
    "THROTTLED",
  ],
});
