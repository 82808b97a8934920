import { z } from "zod";
import {
  accountFieldLimits,
  countCharacters,
  emailSchema,
  isPrintable,
  isSafeToNormalize,
  linkTokenSchema,
  textLineSchema,
} from "../core/form-fields.ts";
import { displayNameSchema, usernameSchema } from "../names/forms.ts";
import { initialsRefusal } from "../names/name-refusals.ts";
import { anyPasswordSchema, passwordSchema } from "../password/forms.ts";

const typedUsernameSchema = textLineSchema(accountFieldLimits.email.max, "validation.username").min(
  accountFieldLimits.username.min,
  "validation.username",
);

export const loginInput = z.object({ username: typedUsernameSchema, password: passwordSchema });
export type LoginInput = z.output<typeof loginInput>;

export const adminLoginInput = z.object({
  username: textLineSchema(accountFieldLimits.email.max, "validation.usernameRequired").min(
    1,
    "validation.usernameRequired",
  ),
  password: anyPasswordSchema("validation.passwordRequired").min(1, "validation.passwordRequired"),
});
export type AdminLoginInput = z.output<typeof adminLoginInput>;

/** The version of a document that the sign-up form showed. Absent from a program's call, which means the one in force. */
const shownVersionSchema = z.string("validation.text").max(20, "validation.documentsOutdated").optional();

export const registerInput = z.object({
  terms: shownVersionSchema,
  privacy: shownVersionSchema,
  username: usernameSchema,
  password: passwordSchema,
  displayName: displayNameSchema,
  email: emailSchema,
  avatarInitials: z
    .string("validation.avatarInitials")
    .refine(isSafeToNormalize(accountFieldLimits.avatarInitials.max), {
      message: "validation.avatarInitials",
      abort: true,
    })
    .refine(isPrintable, { message: "validation.characters", abort: true })
    .normalize("NFC")
    .trim()
    .refine((value) => countCharacters(value) <= accountFieldLimits.avatarInitials.max, {
      message: "validation.avatarInitials",
      abort: true,
    })
    .superRefine((value, context) => {
      const message = initialsRefusal(value);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .nullish(),
});
export type RegisterInput = z.output<typeof registerInput>;

export const verifyEmailInput = z.object({ token: linkTokenSchema });
export type VerifyEmailInput = z.output<typeof verifyEmailInput>;
