import { z } from "zod";
import { describeCall } from "#calls";
import {
  savedProfileSchema,
  sessionStateSchema,
  successReplySchema,
  userViewSchema,
} from "../core/responses.ts";

export const showSession = describeCall({
  summary: "Get the session and its user",
  group: "Signing in",
  by: "anybody",
  answers: sessionStateSchema,
});

export const showSignedInUser = describeCall({
  summary: "Get the signed-in user",
  group: "Signing in",
  by: "session",
  answers: userViewSchema,
});

export const isAdmin = describeCall({
  summary: "Check whether you are an administrator",
  group: "Signing in",
  by: "anybody",
  answers: z.object({ isAdmin: z.boolean() }),
});

export const forgotPassword = describeCall({
  summary: "Request a link to set a new password; the response is the same whether or not the email is known",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: ["THROTTLED"],
});

export const resetPassword = describeCall({
  summary: "Set a new password with the mailed link",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: ["RESET_LINK_INVALID", "PASSWORD_COMMON", "PASSWORD_GUESSABLE", "PASSWORD_SHORT_FOR_ADMIN"],
});

export const changePassword = describeCall({
  summary: "Change your password and sign out other devices",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: [
    "PASSWORD_COMMON",
    "PASSWORD_GUESSABLE",
    "PASSWORD_SHORT_FOR_ADMIN",
    "PASSWORD_UNCHANGED",
    "PASSWORD_WRONG",
    "SECOND_FACTOR_REQUIRED",
    "SECOND_FACTOR_WRONG",
    "THROTTLED",
  ],
});

export const confirmPassword = describeCall({
  summary: "Confirm your password, for calls that need a fresh login",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: ["PASSWORD_WRONG", "SECOND_FACTOR_REQUIRED", "SECOND_FACTOR_WRONG", "THROTTLED"],
});

export const chooseName = describeCall({
  summary: "Replace a name that is no longer allowed",
  group: "Own account",
  by: "session",
  answers: savedProfileSchema,
  refuses: ["PASSWORD_CHANGE_REQUIRED", "USERNAME_EXISTS", "THROTTLED"],
});

export const verifyEmail = describeCall({
  summary: "Verify an email address with the mailed link",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: ["VERIFICATION_LINK_INVALID"],
});

export const resendVerification = describeCall({
  summary: "Resend the link that verifies your email address",
  group: "Own account",
  by: "user",
  answers: successReplySchema,
  refuses: ["THROTTLED"],
});

export const saveProfile = describeCall({
  summary: "Change your profile; absent fields stay unchanged",
  group: "Own account",
  by: "user",
  answers: savedProfileSchema,
});

export const saveProfileAtSecondPath = describeCall({
  summary: "Change your profile (second path)",
  group: "Own account",
  by: "user",
  answers: savedProfileSchema,
});
