import { z } from "zod";
import { describeCall, type Unrefused } from "#calls";
import type * as consents from "../consents/agree.ts";
import {
  savedProfileSchema,
  sessionStateSchema,
  successReplySchema,
  userViewSchema,
} from "../core/responses.ts";
import type * as emails from "../login/verify-email.ts";
import type * as names from "../names/choose-name.ts";
import type * as passwords from "../password/change-password.ts";
import type * as forgotten from "../password/forgot-password.ts";
import type * as reset from "../password/reset-password.ts";
import type { readOwnProfile, updateProfile } from "./profile.ts";

export const showSession = describeCall<Unrefused>({
  summary: "Get the session and its user",
  group: "Signing in",
  by: "anybody",
  answers: sessionStateSchema,
});

export const showSignedInUser = describeCall<typeof readOwnProfile>({
  summary: "Get the signed-in user",
  group: "Signing in",
  by: "session",
  answers: userViewSchema,
});

export const isAdmin = describeCall<Unrefused>({
  summary: "Check whether you are an administrator",
  group: "Signing in",
  by: "anybody",
  answers: z.object({ isAdmin: z.boolean() }),
});

export const forgotPassword = describeCall<typeof forgotten.forgotPassword>({
  summary: "Request a password reset link; the response never says whether the email is known",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: { THROTTLED: true },
});

export const resetPassword = describeCall<typeof reset.resetPassword>({
  summary: "Reset your password with the emailed link",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: {
    RESET_LINK_INVALID: true,
    PASSWORD_COMMON: true,
    PASSWORD_GUESSABLE: true,
    PASSWORD_SHORT_FOR_ADMIN: true,
  },
});

export const changePassword = describeCall<typeof passwords.changePassword>({
  summary: "Change your password and sign out other devices",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: {
    PASSWORD_COMMON: true,
    PASSWORD_GUESSABLE: true,
    PASSWORD_SHORT_FOR_ADMIN: true,
    PASSWORD_UNCHANGED: true,
    PASSWORD_WRONG: true,
    SECOND_FACTOR_REQUIRED: true,
    SECOND_FACTOR_WRONG: true,
    THROTTLED: true,
  },
});

export const confirmPassword = describeCall<typeof passwords.confirmPassword>({
  summary: "Confirm your password for calls that need a recent sign-in",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: { PASSWORD_WRONG: true, SECOND_FACTOR_REQUIRED: true, SECOND_FACTOR_WRONG: true, THROTTLED: true },
});

export const chooseName = describeCall<typeof names.chooseName>({
  summary: "Replace a name that is no longer allowed",
  group: "Own account",
  by: "session",
  answers: savedProfileSchema,
  refuses: { PASSWORD_CHANGE_REQUIRED: true, USERNAME_EXISTS: true, THROTTLED: true },
});

export const agreeToDocuments = describeCall<typeof consents.agreeToDocuments>({
  summary: "Agree to the versions in force of the terms and the privacy policy",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: { PASSWORD_CHANGE_REQUIRED: true, NAME_CHANGE_REQUIRED: true },
});

export const verifyEmail = describeCall<typeof emails.verifyEmail>({
  summary: "Verify an email address with the emailed link",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: { VERIFICATION_LINK_INVALID: true },
});

export const resendVerification = describeCall<typeof emails.resendVerification>({
  summary: "Resend the link that verifies your email address",
  group: "Own account",
  by: "user",
  answers: successReplySchema,
  refuses: { THROTTLED: true },
});

export const saveProfile = describeCall<typeof updateProfile>({
  summary: "Update your profile; omitted fields stay unchanged",
  group: "Own account",
  by: "user",
  answers: savedProfileSchema,
});

export const saveProfileAtSecondPath = describeCall<typeof updateProfile>({
  summary: "Update your profile (alternative path)",
  group: "Own account",
  by: "user",
  answers: savedProfileSchema,
});
