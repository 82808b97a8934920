import { z } from "zod";
import { textIssue } from "#format";
import {
  accountFieldLimits,
  countCharacters,
  emailSchema,
  isPrintable,
  isSafeToNormalize,
  linkTokenSchema,
  tooLongIssue,
} from "../core/form-fields.ts";
import { optionalCodeSchema } from "../second-factor/forms.ts";

/** Words tied to Midman, in lower case. A password whose letters are only these words is refused. */
export const passwordWords = [
  ...["midman", "middleman", "escrow", "qpay", "admin", "mongolia"],
  ...["мидман", "эскроу", "админ", "монгол"],
] as const;

const countUtf8Bytes = (value: string) => new TextEncoder().encode(value).length;

/** A typed password of any length that can be hashed; a missing one is refused with `missing`. */
export const anyPasswordSchema = (missing: string) =>
  z
    .string(textIssue(missing))
    .refine(isSafeToNormalize(accountFieldLimits.passwordBytes.max), tooLongIssue)
    .refine(isPrintable, { message: "validation.characters", abort: true })
    .normalize("NFC")
    .refine((value) => countUtf8Bytes(value) <= accountFieldLimits.passwordBytes.max, tooLongIssue);

const chosenPassword = (min: number, short: string) =>
  anyPasswordSchema(short).refine((value) => countCharacters(value) >= min, { message: short });

/** A password that a person may choose, and one that an administrator may choose: it needs more characters. */
export const passwordSchema = chosenPassword(accountFieldLimits.password.min, "validation.password");
const adminPasswordSchema = chosenPassword(accountFieldLimits.password.adminMin, "validation.passwordAdmin");

/** A new password of any length: how long it must be depends on whose it is, which the call's verb checks. */
const newPasswordSchema = anyPasswordSchema("validation.password");

const passwordMismatchIssue = { message: "validation.passwordsDontMatch", path: ["confirmPassword"] };

export const forgotPasswordInput = z.object({ email: emailSchema });
export type ForgotPasswordInput = z.output<typeof forgotPasswordInput>;

export const resetPasswordInput = z.object({ token: linkTokenSchema, newPassword: newPasswordSchema });
export type ResetPasswordInput = z.output<typeof resetPasswordInput>;

const resetFormOf = (password: typeof passwordSchema) =>
  resetPasswordInput
    .extend({ newPassword: password, confirmPassword: password })
    .refine((form) => form.newPassword === form.confirmPassword, passwordMismatchIssue);

/** The page's form: the same input with the password typed twice; an administrator's needs more characters. */
export const resetPasswordForm = resetFormOf(passwordSchema);
export const resetAdminPasswordForm = resetFormOf(adminPasswordSchema);

/** The password of the account, typed to confirm an action. */
export const currentPasswordSchema = anyPasswordSchema("validation.passwordRequired").min(
  1,
  "validation.passwordRequired",
);

export const changePasswordInput = z.object({
  currentPassword: currentPasswordSchema,
  newPassword: newPasswordSchema,
  code: optionalCodeSchema,
});
export type ChangePasswordInput = z.output<typeof changePasswordInput>;

const changeFormOf = (password: typeof passwordSchema) =>
  changePasswordInput
    .extend({ newPassword: password, confirmPassword: password })
    .refine((form) => form.newPassword === form.confirmPassword, passwordMismatchIssue);

/** The page's form: the same input with the new password typed twice; an administrator's needs more characters. */
export const changePasswordForm = changeFormOf(passwordSchema);
export const changeAdminPasswordForm = changeFormOf(adminPasswordSchema);

export const confirmPasswordInput = z.object({ password: currentPasswordSchema, code: optionalCodeSchema });
export type ConfirmPasswordInput = z.output<typeof confirmPasswordInput>;
