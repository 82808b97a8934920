import { describeCall } from "#calls";
import { signInReplySchema, successReplySchema } from "../core/responses.ts";
import type { finishLogin } from "../login/finish-login.ts";
import type * as logins from "../login/login.ts";
import type { registerUser } from "../login/register.ts";
import type { signOut } from "./logout.ts";

export const signIn = describeCall<typeof logins.signInWithPassword>({
  summary: "Sign in",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: {
    INVALID_CREDENTIALS: true,
    SECOND_FACTOR_REQUIRED: true,
    ACCOUNT_SUSPENDED: true,
    THROTTLED: true,
  },
});

export const adminLogin = describeCall<typeof logins.adminLogin>({
  summary: "Sign in as an administrator",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: { ADMIN_CREDENTIALS: true, SECOND_FACTOR_REQUIRED: true, THROTTLED: true },
});

export const finishSignIn = describeCall<typeof finishLogin>({
  summary: "Finish signing in with a one-time or recovery code",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: { SECOND_FACTOR_WRONG: true, SIGN_IN_EXPIRED: true, ACCOUNT_SUSPENDED: true, THROTTLED: true },
});

export const signUp = describeCall<typeof registerUser>({
  summary: "Sign up",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: {
    EMAIL_EXISTS: true,
    USERNAME_EXISTS: true,
    PASSWORD_COMMON: true,
    PASSWORD_GUESSABLE: true,
    THROTTLED: true,
  },
});

export const signOutBrowser = describeCall<typeof signOut>({
  summary: "Sign out",
  group: "Signing in",
  by: "anybody",
  answers: successReplySchema,
});
