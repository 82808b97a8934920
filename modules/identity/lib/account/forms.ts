import { z } from "zod";
import { accountFieldLimits, phoneNumberSchema, textLineSchema } from "../core/form-fields.ts";
import { currentPasswordSchema } from "../password/forms.ts";
import { optionalCodeSchema } from "../second-factor/forms.ts";

export const deleteAccountInput = z.object({
  password: currentPasswordSchema,
  code: optionalCodeSchema,
  /** The person's own username, typed again to confirm. */
  confirmation: textLineSchema(accountFieldLimits.email.max, "validation.usernameRequired").min(
    1,
    "validation.usernameRequired",
  ),
});
export type DeleteAccountInput = z.output<typeof deleteAccountInput>;

/** Absent fields stay unchanged; an empty text clears the field. */
export const profileInput = z.object({
  phoneNumber: phoneNumberSchema.nullish(),
  bankAccount: textLineSchema(accountFieldLimits.bankAccount.max, "validation.required").nullish(),
  language: z.enum(["mn", "en"], "validation.language").optional(),
});
export type ProfileInput = z.output<typeof profileInput>;
