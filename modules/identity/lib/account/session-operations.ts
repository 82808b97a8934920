import { z } from "zod";
import { describeCall } from "#calls";
import {
  savedProfileSchema,
  sessionStateSchema,
  successReplySchema,
  userViewSchema,
} from "../core/responses.ts";

export const showSession = describeCall({
  summary: "Who is signed in",
  group: "Signing in",
  by: "anybody",
  answers: sessionStateSchema,
});

export const showSignedInUser = describeCall({
  summary: "The person who is signed in",
  group: "Signing in",
  by: "session",
  answers: userViewSchema,
});

export const isAdmin = describeCall({
  summary: "Whether an administrator asks",
  group: "Signing in",
  by: "anybody",
  answers: z.object({ isAdmin: z.boolean() }),
});

export const forgotPassword = describeCall({
  summary: "Ask for a link to set a new password; the answer is the same whether the address is known or not",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: ["THROTTLED"],
});

export const resetPassword = describeCall({
  summary: "Set a new password by the link that was mailed",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: ["RESET_LINK_INVALID", "PASSWORD_COMMON", "PASSWORD_GUESSABLE", "PASSWORD_SHORT_FOR_ADMIN"],
});

export const changePassword = describeCall({
  summary: "Change one's password; other devices are signed out",
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
  summary: "Give one's password again, for the calls that ask for a fresh one",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: ["PASSWORD_WRONG", "SECOND_FACTOR_REQUIRED", "SECOND_FACTOR_WRONG", "THROTTLED"],
});

export const chooseName = describeCall({
  summary: "Choose another name in place of one that is not allowed any more",
  group: "Own account",
  by: "session",
  answers: savedProfileSchema,
  refuses: ["PASSWORD_CHANGE_REQUIRED", "USERNAME_EXISTS", "THROTTLED"],
});

export const verifyEmail = describeCall({
  summary: "Confirm an address by the link that was mailed",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
  refuses: ["VERIFICATION_LINK_INVALID"],
});

export const resendVerification = describeCall({
  summary: "Have the link for one's address mailed again",
  group: "Own account",
  by: "user",
  answers: successReplySchema,
  refuses: ["THROTTLED"],
});

export const saveProfile = describeCall({
  summary: "Change one's profile; what is left out stays",
  group: "Own account",
  by: "user",
  answers: savedProfileSchema,
});

export const saveProfileAtSecondPath = describeCall({
  summary: "The same under its second path",
  group: "Own account",
  by: "user",
  answers: savedProfileSchema,
});
