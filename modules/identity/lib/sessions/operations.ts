import { call } from "#calls";
import { done, signedIn } from "../core/responses.ts";

export const login = call({
  summary: "Sign in",
  group: "Signing in",
  by: "anybody",
  answers: signedIn,
  refuses: ["INVALID_CREDENTIALS", "SECOND_FACTOR_REQUIRED", "ACCOUNT_SUSPENDED", "THROTTLED"],
});

export const adminLogin = call({
  summary: "Sign in as an administrator",
  group: "Signing in",
  by: "anybody",
  answers: signedIn,
  refuses: ["ADMIN_CREDENTIALS", "SECOND_FACTOR_REQUIRED", "THROTTLED"],
});

export const secondFactor = call({
  summary: "Finish signing in with a code",
  group: "Signing in",
  by: "anybody",
  answers: signedIn,
  refuses: ["SECOND_FACTOR_WRONG", "SIGN_IN_EXPIRED", "ACCOUNT_SUSPENDED", "THROTTLED"],
});

export const register = call({
  summary: "Register",
  group: "Signing in",
  by: "anybody",
  answers: signedIn,
  refuses: ["EMAIL_EXISTS", "USERNAME_EXISTS", "PASSWORD_COMMON", "PASSWORD_GUESSABLE", "THROTTLED"],
});

export const logout = call({
  summary: "Sign out",
  group: "Signing in",
  by: "anybody",
  answers: done,
});
