import { isValidPhoneNumber } from "libphonenumber-js";
import { z } from "zod";
import { textIssue } from "#format";

/** The fields that the forms of several capabilities share. */

/** Minimum and maximum length of each field: characters, except `passwordBytes` (UTF-8 bytes). */
export const accountFieldLimits = {
  username: { min: 3, max: 32 },
  displayName: { min: 2, max: 60 },
  avatarInitials: { max: 2 },
  email: { max: 254 },
  password: { min: 6, adminMin: 12 },
  passwordBytes: { max: 200 },
  phoneNumber: { max: 32 },
  bankAccount: { max: 120 },
  filterName: { max: 40 },
  note: { max: 2_000 },
} as const;

// Control characters end lines and strings unexpectedly; bidirectional overrides make one name look like another; a lone surrogate cannot
// be stored.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** True for a text without control characters, bidirectional overrides and lone surrogates. */
export const isPrintable = (value: string) => !UNPRINTABLE.test(value);

/** The number of code points of a text. */
export const countCharacters = (value: string) => [...value].length;

/**
 * Checked before normalising: NFC composes at most four characters into one, so a longer value is too long in any form, and composing a
 * megabyte of combining marks would take a fifth of a second.
 */
export const isSafeToNormalize = (max: number) => (value: string) => value.length <= 4 * max;

/** The issue of a text that is too long; no later check runs on it. */
export const tooLongIssue = { message: "validation.tooLong", abort: true };

/** A text of one line, in NFC and trimmed, of at most `max` characters; a missing value is refused with `missing`. */
export const textLineSchema = (max: number, missing: string) =>
  z
    .string(textIssue(missing))
    .refine(isSafeToNormalize(max), tooLongIssue)
    .refine(isPrintable, { message: "validation.characters", abort: true })
    .normalize("NFC")
    .trim()
    .max(max, tooLongIssue);

/** An email address of an account. */
export const emailSchema = textLineSchema(accountFieldLimits.email.max, "validation.email").regex(
  z.regexes.email,
  "validation.email",
);

/** The token in a mailed link. The function that redeems it refuses a wrong one, not this schema. */
export const linkTokenSchema = textLineSchema(200, "validation.required").min(1, "validation.required");

/** True for a phone number that can exist; a number without a country code is read as Mongolian (+976). */
export function isPhone(value: string): boolean {
  return isValidPhoneNumber(value, "MN");
}

/** A phone number that can exist, or an empty text. */
export const phoneNumberSchema = textLineSchema(
  accountFieldLimits.phoneNumber.max,
  "validation.required",
).refine((value) => value === "" || isPhone(value), "validation.phone");
