import { describeCall } from "#calls";
import { signInReplySchema, successReplySchema } from "../core/responses.ts";

export const signIn = describeCall({
  summary: "Sign in",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: ["INVALID_CREDENTIALS", "SECOND_FACTOR_REQUIRED", "ACCOUNT_SUSPENDED", "THROTTLED"],
});

export const adminLogin = describeCall({
  summary: "Sign in as an administrator",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: ["ADMIN_CREDENTIALS", "SECOND_FACTOR_REQUIRED", "THROTTLED"],
});

export const finishSignIn = describeCall({
  summary: "Finish signing in with a code",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: ["SECOND_FACTOR_WRONG", "SIGN_IN_EXPIRED", "ACCOUNT_SUSPENDED", "THROTTLED"],
});

export const signUp = describeCall({
  summary: "Register",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: ["EMAIL_EXISTS", "USERNAME_EXISTS", "PASSWORD_COMMON", "PASSWORD_GUESSABLE", "THROTTLED"],
});

export const signOutBrowser = describeCall({
  summary: "Sign out",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
});
