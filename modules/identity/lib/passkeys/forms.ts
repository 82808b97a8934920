import { z } from "zod";
import { isPrintable } from "../core/form-fields.ts";
import { hidesLetters } from "../names/reserved-names.ts";

/** Maximum length of a passkey's name, in characters, and number of passkeys per person. */
export const passkeyLimits = { name: { max: 40 }, most: 10 } as const;

/** Bytes as WebAuthn's JSON encodes them; the limits leave room for 4,096-bit RSA keys. */
const base64url = (longest: number) =>
  z
    .string("validation.invalid")
    .max(longest, "validation.tooLong")
    .regex(/^[A-Za-z0-9_-]+$/, "validation.invalid");

const credentialId = base64url(1364);
const clientDataJSON = base64url(4096);
const credentialTypeSchema = z.literal("public-key", "validation.invalid");

/** The result of `navigator.credentials.get`, as `toJSON` writes it. Unused fields are dropped. */
const assertionSchema = z.object({
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

/** The result of `navigator.credentials.create`, as `toJSON` writes it. */
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

const passkeyName = z
  .string("validation.required")
  .refine((value) => isPrintable(value) && !hidesLetters(value), {
    message: "validation.characters",
    abort: true,
  })
  .normalize("NFC")
  .trim()
  .max(passkeyLimits.name.max, { message: "validation.tooLong", abort: true });

/** Which sign-in page a passkey is used on; the administrators' page admits only administrators. */
export const passkeyDoor = z.object({ door: z.enum(["login", "admin_login"], "validation.invalid") });
export type PasskeyDoor = z.output<typeof passkeyDoor>;

export const passkeyAssertionInput = z.object({ credential: assertionSchema });

/** A new passkey; without a name it is named after its browser and system. */
export const registerPasskeyInput = z.object({ name: passkeyName.optional(), credential: attestationSchema });
export type RegisterPasskeyInput = z.output<typeof registerPasskeyInput>;

export const renamePasskeyInput = z.object({ name: passkeyName.min(1, "validation.required") });
export type RenamePasskeyInput = z.output<typeof renamePasskeyInput>;

/** In the page's forms, the credential is JSON in a hidden field that the page's script fills. */
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
