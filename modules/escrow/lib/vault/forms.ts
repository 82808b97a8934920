import { z } from "zod";
import {
  emailSchema,
  lineSchema,
  optionalSchema,
  proseSchema,
  tradeFieldLimits,
  UNPRINTABLE,
} from "../core/form-fields.ts";

/** Hours after opening the vault within which the buyer should secure the account. */
export const vaultCheckHours = 1;

// Not trimmed: a space at either end may belong to a password.
const exactTextSchema = z
  .string("validation.invalid")
  .max(tradeFieldLimits.vaultLine, { message: "validation.tooLong", abort: true })
  .refine((value) => !UNPRINTABLE.test(value), "validation.characters")
  .transform((value) => (value === "" ? undefined : value))
  .optional();

const vaultFields = {
  login: optionalSchema(lineSchema(tradeFieldLimits.vaultLine)),
  password: exactTextSchema,
  email: optionalSchema(emailSchema),
  emailPassword: exactTextSchema,
  /** Recovery codes, and how to transfer the second factor. */
  recoveryNotes: optionalSchema(proseSchema(tradeFieldLimits.info)),
  notes: optionalSchema(proseSchema(tradeFieldLimits.info)),
};

const hasFilledField = ({ clientId: _, ...parts }: Record<string, unknown>) =>
  Object.values(parts).some((part) => part !== undefined);

/** Body of POST …/vault: what the seller seals for the buyer. A repeat with the same `clientId` does not seal it again. */
export const sealVaultSchema = z
  .object({ ...vaultFields, clientId: z.guid("validation.id").toLowerCase().optional() }, "validation.object")
  .refine(hasFilledField, "validation.vaultEmpty");

/** Sealed fields that no page ever shows again: if the form is shown again, the seller must type them again. */
export const vaultSecrets = ["password", "emailPassword", "recoveryNotes"] as const;
type VaultSecret = (typeof vaultSecrets)[number];

/** The secrets that were typed into a refused form, as its field `typed` names them; in the order of `vaultSecrets`. */
export function typedSecrets(typed: unknown): VaultSecret[] {
  const names = typeof typed === "string" ? typed.split(" ") : [];
  return vaultSecrets.filter((name) => names.includes(name));
}

/**
 * The page's form, which asks for a confirmation before sealing (`sure`). `typed` names the secrets that were filled in before the form was
 * shown again. They come back empty, and the form refuses to seal them empty. To leave one empty, the seller starts a new form.
 */
export const sealVaultFormSchema = z
  .object({
    ...vaultFields,
    clientId: z.guid("validation.id").toLowerCase().optional(),
    sure: z.literal("on", "validation.vaultSure"),
    typed: z.string("validation.invalid").max(tradeFieldLimits.vaultLine, "validation.tooLong").optional(),
  })
  .refine(({ sure: _, typed: __, ...sealed }) => hasFilledField(sealed), "validation.vaultEmpty")
  .superRefine((form, context) => {
    for (const name of typedSecrets(form.typed)) {
      if (form[name] === undefined)
        context.addIssue({ code: "custom", path: [name], message: "validation.vaultTypeAgain" });
    }
  });

const checkboxSchema = z.preprocess(
  (value) => value === true || value === "on" || value === "true",
  z.boolean(),
);

/** Body of POST …/vault/check: what the buyer has done since opening the vault. Omitted items stay as they were; none can be undone. */
export const checkVaultSchema = z
  .object(
    { password: checkboxSchema, secondFactor: checkboxSchema, recovery: checkboxSchema },
    "validation.object",
  )
  .refine((value) => Object.values(value).some(Boolean), "validation.vaultCheck");

export type VaultInput = z.infer<typeof sealVaultSchema>;
export type VaultCheckInput = z.infer<typeof checkVaultSchema>;
