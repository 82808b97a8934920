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
  summary: "List your signed-in devices",
  group: "Own account",
  by: "user",
  answers: z.array(signedInDeviceSchema),
});

export const endSession = describeCall({
  summary: "Sign out a device",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
  refuses: ["SESSION_NOT_FOUND"],
});

export const endOtherSessions = describeCall({
  summary: "Sign out every other device",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ ended: z.int() }),
});

export const showSecondFactor = describeCall({
  summary: "Get the state of your second factor",
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
  summary: "Begin setting up a second factor; returns its secret",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ secret: z.string(), uri: z.string() }),
  refuses: ["SECOND_FACTOR_ON"],
});

export const confirmFactor = describeCall({
  summary: "Turn on the second factor with its first code",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodesSchema,
  refuses: ["SECOND_FACTOR_NOT_BEGUN", "SECOND_FACTOR_ON", "SECOND_FACTOR_WRONG", "THROTTLED"],
});

export const renewCodes = describeCall({
  summary: "Create new recovery codes; the earlier ones stop working",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodesSchema,
  refuses: ["SECOND_FACTOR_OFF"],
});

export const removeFactor = describeCall({
  summary: "Turn off the second factor",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
});

export const showNotificationChoices = describeCall({
  summary: "Get your choice of optional mails",
  group: "Notifications",
  by: "user",
  answers: notificationChoicesSchema,
});

export const chooseNotifications = describeCall({
  summary: "Choose your optional mails; absent fields stay unchanged",
  group: "Notifications",
  by: "user",
  answers: successReplySchema.extend({ notifications: notificationChoicesSchema }),
});

export const downloadOwnData = describeCall({
  summary: "Download all your data",
  group: "Own account",
  by: "freshUser",
  answers: personalDataSchema,
  refuses: ["THROTTLED"],
});

export const deleteAccount = describeCall({
  summary: "Delete your account",
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
