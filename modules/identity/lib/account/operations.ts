import { z } from "zod";
import { describeCall } from "#calls";
import {
  notificationChoicesSchema,
  personalDataSchema,
  recoveryCodesSchema,
  signedInDeviceSchema,
  successReplySchema,
} from "../core/responses.ts";

const dateTimeSchema = z.iso.datetime();

export const listSessions = describeCall({
  summary: "One's signed-in devices",
  group: "Own account",
  by: "user",
  answers: z.array(signedInDeviceSchema),
});

export const endSession = describeCall({
  summary: "Sign a device out",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
  refuses: ["SESSION_NOT_FOUND"],
});

export const endOtherSessions = describeCall({
  summary: "Sign every other device out",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ ended: z.int() }),
});

export const showSecondFactor = describeCall({
  summary: "How one's second factor stands",
  group: "Own account",
  by: "user",
  answers: z.object({
    on: z.boolean(),
    since: dateTimeSchema.nullable(),
    recoveryCodesLeft: z.int(),
    pending: z.boolean(),
  }),
});

export const beginFactor = describeCall({
  summary: "Begin to set a second factor up; the secret is shown this once",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ secret: z.string(), uri: z.string() }),
  refuses: ["SECOND_FACTOR_ON"],
});

export const confirmFactor = describeCall({
  summary: "Turn the second factor on with its first code",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodesSchema,
  refuses: ["SECOND_FACTOR_NOT_BEGUN", "SECOND_FACTOR_ON", "SECOND_FACTOR_WRONG", "THROTTLED"],
});

export const renewCodes = describeCall({
  summary: "New recovery codes; the former ones work no more",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodesSchema,
  refuses: ["SECOND_FACTOR_OFF"],
});

export const removeFactor = describeCall({
  summary: "Turn the second factor off",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
});

export const showNotificationChoices = describeCall({
  summary: "Which mails one gets",
  group: "Notifications",
  by: "user",
  answers: notificationChoicesSchema,
});

export const chooseNotifications = describeCall({
  summary: "Choose which mails one gets; what is left out stays",
  group: "Notifications",
  by: "user",
  answers: successReplySchema.extend({ notifications: notificationChoicesSchema }),
});

export const downloadOwnData = describeCall({
  summary: "All that is kept about oneself",
  group: "Own account",
  by: "freshUser",
  answers: personalDataSchema,
  refuses: ["THROTTLED"],
});

export const deleteAccount = describeCall({
  summary: "Delete one's account",
  group: "Own account",
  by: "user",
  answers: successReplySchema,
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
