import { z } from "zod";
import { describeCall } from "#calls";
import { signInReplySchema, successReplySchema } from "../core/responses.ts";
import { creationOptionsSchema, passkeySchema, requestOptionsSchema } from "./responses.ts";

export const beginSignIn = describeCall({
  summary: "Get the options for signing in with a passkey",
  group: "Signing in",
  by: "anybody",
  answers: requestOptionsSchema,
  refuses: ["THROTTLED"],
});

export const signIn = describeCall({
  summary: "Sign in with a passkey",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: ["PASSKEY_FAILED", "ACCOUNT_SUSPENDED", "THROTTLED"],
});

export const beginConfirmation = describeCall({
  summary: "Get the options for confirming your identity with a passkey",
  group: "Own account",
  by: "session",
  answers: requestOptionsSchema,
  refuses: ["PASSKEY_FAILED", "THROTTLED"],
});

export const finishConfirmation = describeCall({
  summary: "Confirm your identity with a passkey",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: ["PASSKEY_FAILED", "THROTTLED"],
});

export const listPasskeys = describeCall({
  summary: "List your passkeys",
  group: "Own account",
  by: "user",
  answers: z.array(passkeySchema),
});

export const beginRegistration = describeCall({
  summary: "Get the options for a new passkey",
  group: "Own account",
  by: "freshUser",
  answers: creationOptionsSchema,
  refuses: ["PASSKEYS_FULL", "THROTTLED"],
});

export const finishRegistration = describeCall({
  summary: "Add a passkey",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ passkey: passkeySchema }),
  refuses: ["PASSKEY_FAILED", "PASSKEYS_FULL", "THROTTLED"],
});

export const renameOwnPasskey = describeCall({
  summary: "Rename a passkey",
  group: "Own account",
  by: "user",
  answers: successReplySchema.extend({ passkey: passkeySchema }),
  refuses: ["PASSKEY_NOT_FOUND"],
});

export const removeOwnPasskey = describeCall({
  summary: "Remove a passkey and end the other sessions it opened",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
  refuses: ["PASSKEY_NOT_FOUND"],
});
