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

/** A password that a person may choose; administrators need more characters. */
export const passwordSchema = anyPasswordSchema("validation.password").refine(
  (value) => countCharacters(value) >= accountFieldLimits.password.min,
  {
    message: "validation.password",
  },
);

const passwordMismatchIssue = { message: "validation.passwordsDontMatch", path: ["confirmPassword"] };

export const forgotPasswordInput = z.object({ email: emailSchema });
export type ForgotPasswordInput = z.output<typeof forgotPasswordInput>;

export const resetPasswordInput = z.object({ token: linkTokenSchema, newPassword: passwordSchema });
export type ResetPasswordInput = z.output<typeof resetPasswordInput>;

/** The page's form: the same input with the password typed twice. */
export const resetPasswordForm = resetPasswordInput
  .extend({ confirmPassword: passwordSchema })
  .refine((form) => form.newPassword === form.confirmPassword, passwordMismatchIssue);

/** The password of the account, typed to confirm an action. */
export const currentPasswordSchema = anyPasswordSchema("validation.passwordRequired").min(
  1,
  "validation.passwordRequired",
);

export const changePasswordInput = z.object({
  currentPassword: currentPasswordSchema,
  newPassword: passwordSchema,
  code: optionalCodeSchema,
});
export type ChangePasswordInput = z.output<typeof changePasswordInput>;

/** The page's form: the same input with the new password typed twice. */
export const changePasswordForm = changePasswordInput
  .extend({ confirmPassword: passwordSchema })
  .refine((form) => form.newPassword === form.confirmPassword, passwordMismatchIssue);

export const confirmPasswordInput = z.object({ password: currentPasswordSchema, code: optionalCodeSchema });
export type ConfirmPasswordInput = z.output<typeof confirmPasswordInput>;
