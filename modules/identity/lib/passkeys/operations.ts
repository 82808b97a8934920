import { z } from "zod";
import { describeCall } from "#calls";
import { signInReplySchema, successReplySchema } from "../core/responses.ts";
import type { beginPasskeyConfirmation, confirmWithPasskey } from "./confirm-with-passkey.ts";
import type { ownPasskeys, removePasskey, renamePasskey } from "./manage-passkeys.ts";
import type { beginPasskey, registerPasskey } from "./register-passkey.ts";
import { creationOptionsSchema, passkeySchema, requestOptionsSchema } from "./responses.ts";
import type { beginPasskeySignIn, signInWithPasskey } from "./sign-in-with-passkey.ts";

export const beginSignIn = describeCall<typeof beginPasskeySignIn>({
  summary: "Get options for signing in with a passkey",
  group: "Signing in",
  by: "anybody",
  answers: requestOptionsSchema,
  refuses: { THROTTLED: true },
});

export const signIn = describeCall<typeof signInWithPasskey>({
  summary: "Sign in with a passkey",
  group: "Signing in",
  by: "anybody",
  answers: signInReplySchema,
  refuses: { PASSKEY_FAILED: true, ACCOUNT_SUSPENDED: true, THROTTLED: true },
});

export const beginConfirmation = describeCall<typeof beginPasskeyConfirmation>({
  summary: "Get options for confirming your identity with a passkey",
  group: "Own account",
  by: "session",
  answers: requestOptionsSchema,
  refuses: { PASSKEY_FAILED: true, THROTTLED: true },
});

export const finishConfirmation = describeCall<typeof confirmWithPasskey>({
  summary: "Confirm your identity with a passkey",
  group: "Own account",
  by: "session",
  answers: successReplySchema,
  refuses: { PASSKEY_FAILED: true, THROTTLED: true },
});

export const listPasskeys = describeCall<typeof ownPasskeys>({
  summary: "List your passkeys",
  group: "Own account",
  by: "user",
  answers: z.array(passkeySchema),
});

export const beginRegistration = describeCall<typeof beginPasskey>({
  summary: "Get options for creating a passkey",
  group: "Own account",
  by: "freshUser",
  answers: creationOptionsSchema,
  refuses: { PASSKEYS_FULL: true, THROTTLED: true },
});

export const finishRegistration = describeCall<typeof registerPasskey>({
  summary: "Add a passkey",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema.extend({ passkey: passkeySchema }),
  refuses: { PASSKEY_FAILED: true, PASSKEYS_FULL: true, THROTTLED: true },
});

export const renameOwnPasskey = describeCall<typeof renamePasskey>({
  summary: "Rename a passkey",
  group: "Own account",
  by: "user",
  answers: successReplySchema.extend({ passkey: passkeySchema }),
  refuses: { PASSKEY_NOT_FOUND: true },
});

export const removeOwnPasskey = describeCall<typeof removePasskey>({
  summary: "Remove a passkey and end the other sessions it opened",
  group: "Own account",
  by: "freshUser",
  answers: successReplySchema,
  refuses: { PASSKEY_NOT_FOUND: true },
});
