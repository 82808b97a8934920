import { z } from "zod";
import { describeCall } from "#calls";
import {
  notificationChoicesSchema,
  personalDataSchema,
  recoveryCodesSchema,
  secondFactorSchema,
  signedInDeviceSchema,
  successReplySchema,
} from "../core/responses.ts";
import type * as verbs from "../notifications/notification-kinds.ts";
import type {
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
} from "../second-factor/manage-second-factor.ts";
import type { beginSecondFactor, confirmSecondFactor } from "../second-factor/set-up-second-factor.ts";
import type { revokeOtherSessions, revokeSession, sessionsOf } from "../sessions/signed-in-devices.ts";
import type { deleteOwnAccount } from "./delete-own-account.ts";
import type { downloadPersonalData } from "./personal-data.ts";

export const listSessions = describeCall<typeof sessionsOf>({
  summary: "List your signed-in devices",
  group: "Own account",
  by: "user",
  answers: z.array(signedInDeviceSchema),
});

export const endSession = describeCall<typeof revokeSession>({
  summary: "Sign out a device",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
  refuses: { SESSION_NOT_FOUND: true },
});

export const endOtherSessions = describeCall<typeof revokeOtherSessions>({
  summary: "Sign out every other device",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ ended: z.int() }),
});

export const showSecondFactor = describeCall<typeof secondFactorOf>({
  summary: "Get your two-step sign-in status",
  group: "Own account",
  by: "user",
  answers: secondFactorSchema,
});

export const beginFactor = describeCall<typeof beginSecondFactor>({
  summary: "Start setting up two-step sign-in; returns its secret",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ secret: z.string(), uri: z.string() }),
  refuses: { SECOND_FACTOR_ON: true },
});

export const confirmFactor = describeCall<typeof confirmSecondFactor>({
  summary: "Turn on two-step sign-in with its first code",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodesSchema,
  refuses: {
    SECOND_FACTOR_NOT_BEGUN: true,
    SECOND_FACTOR_ON: true,
    SECOND_FACTOR_WRONG: true,
    THROTTLED: true,
  },
});

export const renewCodes = describeCall<typeof renewRecoveryCodes>({
  summary: "Create new recovery codes; earlier codes stop working",
  group: "Own account",
  by: "freshUser",
  answers: recoveryCodesSchema,
  refuses: { SECOND_FACTOR_OFF: true },
});

export const removeFactor = describeCall<typeof removeSecondFactor>({
  summary: "Turn off two-step sign-in",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
});

export const showNotificationChoices = describeCall<typeof verbs.readNotificationChoices>({
  summary: "Get your optional email settings",
  group: "Notifications",
  by: "user",
  answers: notificationChoicesSchema,
});

export const chooseNotifications = describeCall<typeof verbs.chooseNotifications>({
  summary: "Update your optional email settings; omitted fields stay unchanged",
  group: "Notifications",
  by: "user",
  answers: successReplySchema.extend({ notifications: notificationChoicesSchema }),
});

export const downloadOwnData = describeCall<typeof downloadPersonalData>({
  summary: "Download all data about you",
  group: "Own account",
  by: "freshUser",
  answers: personalDataSchema,
  refuses: { THROTTLED: true },
});

export const deleteAccount = describeCall<typeof deleteOwnAccount>({
  summary: "Delete your account",
  group: "Own account",
  by: "user",
  answers: successReplySchema,
  refuses: {
    CONFIRMATION_MISMATCH: true,
    PASSWORD_WRONG: true,
    SECOND_FACTOR_REQUIRED: true,
    SECOND_FACTOR_WRONG: true,
    LAST_ADMIN: true,
    USER_NOT_FOUND: true,
    MONEY_HELD: true,
    TRADE_UNDER_WAY: true,
    THROTTLED: true,
  },
});
