import { z } from "zod";
import { call } from "#calls";
import { done, signedIn } from "../core/responses.ts";
import { creationOptions, passkey, requestOptions } from "./responses.ts";

export const beginSignIn = call({
  summary: "Ask for a sign-in with a passkey",
  group: "Signing in",
  by: "anybody",
  answers: requestOptions,
  refuses: ["THROTTLED"],
});

export const signIn = call({
  summary: "Sign in with a passkey",
  group: "Signing in",
  by: "anybody",
  answers: signedIn,
  refuses: ["PASSKEY_FAILED", "ACCOUNT_SUSPENDED", "THROTTLED"],
});

export const beginConfirmation = call({
  summary: "Ask for a passkey to prove once more who you are",
  group: "Own account",
  by: "session",
  answers: requestOptions,
  refuses: ["PASSKEY_FAILED", "THROTTLED"],
});

export const confirm = call({
  summary: "Prove once more who you are with a passkey",
  group: "Own account",
  by: "session",
  answers: done,
  refuses: ["PASSKEY_FAILED", "THROTTLED"],
});

export const listPasskeys = call({
  summary: "List your passkeys",
  group: "Own account",
  by: "user",
  answers: z.array(passkey),
});

export const begin = call({
  summary: "Ask for a new passkey",
  group: "Own account",
  by: "freshUser",
  answers: creationOptions,
  refuses: ["PASSKEYS_FULL", "THROTTLED"],
});

export const register = call({
  summary: "Add a passkey",
  group: "Own account",
  by: "freshUser",
  answers: done.extend({ passkey }),
  refuses: ["PASSKEY_FAILED", "PASSKEYS_FULL", "THROTTLED"],
});

export const rename = call({
  summary: "Rename a passkey",
  group: "Own account",
  by: "user",
  answers: done.extend({ passkey }),
  refuses: ["PASSKEY_NOT_FOUND"],
});

export const remove = call({
  summary: "Remove a passkey and end the other sessions that it opened",
  group: "Own account",
  by: "freshUser",
  answers: done,
  refuses: ["PASSKEY_NOT_FOUND"],
});
