import { z } from "zod";
import { hidesLetters } from "../names/reserved-names.ts";

/** The longest name of a passkey, in characters, and how many passkeys one person may have. */
export const passkeyLimits = { name: { max: 40 }, most: 10 } as const;

/** Bytes as WebAuthn's JSON has them; the bounds leave room for RSA keys of 4,096 bits. */
const base64url = (longest: number) =>
  z
    .string("validation.invalid")
    .max(longest, "validation.tooLong")
    .regex(/^[A-Za-z0-9_-]+$/, "validation.invalid");

const credentialId = base64url(1364);
const clientDataJSON = base64url(4096);
const credentialTypeSchema = z.literal("public-key", "validation.invalid");

/** What `navigator.credentials.get` answered, as `toJSON` writes it. Fields that nothing here reads are dropped. */
export const assertionSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: credentialTypeSchema,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(4096),
    signature: base64url(1364),
    userHandle: base64url(100).nullish(),
  }),
});
export type Assertion = z.output<typeof assertionSchema>;

/** What `navigator.credentials.create` answered, as `toJSON` writes it. */
export const attestationSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: credentialTypeSchema,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(16_384),
    transports: z.array(z.enum(["usb", "nfc", "ble", "smart-card", "internal", "hybrid", "cable"])).catch([]),
  }),
});
export type Attestation = z.output<typeof attestationSchema>;

const unprintablePattern = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

const passkeyName = z
  .string("validation.required")
  .refine((value) => !unprintablePattern.test(value) && !hidesLetters(value), {
    message: "validation.characters",
    abort: true,
  })
  .normalize("NFC")
  .trim()
  .max(passkeyLimits.name.max, { message: "validation.tooLong", abort: true });

/** Through which door somebody signs in with a passkey: the administrators' admits nobody else. */
export const passkeyDoor = z.object({ door: z.enum(["login", "admin_login"], "validation.invalid") });
export type PasskeyDoor = z.output<typeof passkeyDoor>;

export const passkeyAssertionInput = z.object({ credential: assertionSchema });
export type PasskeyAssertionInput = z.output<typeof passkeyAssertionInput>;

/** A new passkey; without a name it is called after its browser and system. */
export const registerPasskeyInput = z.object({ name: passkeyName.optional(), credential: attestationSchema });
export type RegisterPasskeyInput = z.output<typeof registerPasskeyInput>;

export const renamePasskeyInput = z.object({ name: passkeyName.min(1, "validation.required") });
export type RenamePasskeyInput = z.output<typeof renamePasskeyInput>;

/** The page's forms: the credential comes as JSON in one hidden field, which the page's script fills. */
function jsonFieldSchema<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string("errors.PASSKEY_FAILED")
    .max(32_768, "errors.PASSKEY_FAILED")
    .transform((text, context): z.output<Schema> => {
      try {
        return schema.parse(JSON.parse(text));
      } catch {
        context.addIssue({ code: "custom", message: "errors.PASSKEY_FAILED" });
        return z.NEVER;
      }
    });
}

export const passkeyAssertionForm = z.object({ credential: jsonFieldSchema(assertionSchema) });
export const registerPasskeyForm = z.object({
  name: z.preprocess((value) => value ?? "", passkeyName),
  credential: jsonFieldSchema(attestationSchema),
});
