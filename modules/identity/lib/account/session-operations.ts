import { z } from "zod";
import { call } from "#calls";
import { done, savedProfile, sessionAnswer, userView } from "../core/responses.ts";

export const session = call({
  summary: "Who is signed in",
  group: "Signing in",
  by: "anybody",
  answers: sessionAnswer,
});

export const user = call({
  summary: "The person who is signed in",
  group: "Signing in",
  by: "session",
  answers: userView,
});

export const isAdmin = call({
  summary: "Whether an administrator asks",
  group: "Signing in",
  by: "anybody",
  answers: z.object({ isAdmin: z.boolean() }),
});

export const forgotPassword = call({
  summary: "Ask for a link to set a new password; the answer is the same whether the address is known or not",
  group: "Signing in",
  by: "anybody",
  answers: done,
  refuses: ["THROTTLED"],
});

export const resetPassword = call({
  summary: "Set a new password by the link that was mailed",
  group: "Signing in",
  by: "anybody",
  answers: done,
  refuses: ["RESET_LINK_INVALID", "PASSWORD_COMMON", "PASSWORD_GUESSABLE", "PASSWORD_SHORT_FOR_ADMIN"],
});

export const changePassword = call({
  summary: "Change one's password; other devices are signed out",
  group: "Own account",
  by: "session",
  answers: done,
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

export const confirmPassword = call({
  summary: "Give one's password again, for the calls that ask for a fresh one",
  group: "Own account",
  by: "session",
  answers: done,
  refuses: ["PASSWORD_WRONG", "SECOND_FACTOR_REQUIRED", "SECOND_FACTOR_WRONG", "THROTTLED"],
});

export const chooseName = call({
  summary: "Choose another name in place of one that is not allowed any more",
  group: "Own account",
  by: "session",
  answers: savedProfile,
  refuses: ["PASSWORD_CHANGE_REQUIRED", "USERNAME_EXISTS", "THROTTLED"],
});

export const verifyEmail = call({
  summary: "Confirm an address by the link that was mailed",
  group: "Signing in",
  by: "anybody",
  answers: done,
  refuses: ["VERIFICATION_LINK_INVALID"],
});

export const resendVerification = call({
  summary: "Have the link for one's address mailed again",
  group: "Own account",
  by: "user",
  answers: done,
  refuses: ["THROTTLED"],
});

export const saveProfile = call({
  summary: "Change one's profile; what is left out stays",
  group: "Own account",
  by: "user",
  answers: savedProfile,
});

export const saveProfileByItsOtherPath = call({
  summary: "The same under its second path",
  group: "Own account",
  by: "user",
  answers: savedProfile,
});
