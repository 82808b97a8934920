import { z } from "zod";
import { hasVisibleText, mostMoneyMessage, textIssue } from "#format";
import { isPhone } from "#forms/identity";
import { lineSchema, pageSizeSchema } from "#forms/payments";

export { lineSchema, pageSizeSchema, UNPRINTABLE } from "#forms/payments";

/** The fields that the forms of several capabilities share. */

/** The largest amount that a trade may move, fee included, in whole tugrik. */
export const MAX_AMOUNT = 999_999_999;

/** Longest texts the trade's forms take, in characters. */
export const tradeFieldLimits = {
  name: 100,
  description: 255,
  note: 1_000,
  info: 2_000,
  message: 4_000,
  supportMessageMin: 10,
  reason: 2_000,
  bankReference: 64,
  email: 254,
  phone: 24,
  accountNumber: 24,
  vaultLine: 200,
  vaultRevision: 40,
} as const;

const UNPRINTABLE_BUT_LINES = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** A text of any number of lines, trimmed, of `min` to `max` characters; a required one has something that can be seen. */
export const proseSchema = (max: number, min = 0, tooShort = "validation.required") =>
  z
    .string(textIssue(tooShort))
    .trim()
    .min(min, { message: tooShort, abort: true })
    .max(max, { message: "validation.tooLong", abort: true })
    .refine((value) => min === 0 || hasVisibleText(value), tooShort)
    .refine((value) => !UNPRINTABLE_BUT_LINES.test(value), "validation.characters");

/** Characters that nobody types, such as NUL: a text of them was not left empty. */
const UNTYPED = /(?!\s)[\p{Cc}\p{Cs}]/u;

/**
 * An optional text. A value in which nothing can be seen counts as absent, because a form posts every field it has; one of control characters
 * is refused by `schema`.
 */
export const optionalSchema = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (isLeftEmpty(value) ? undefined : value), schema.optional());

function isLeftEmpty(value: unknown): boolean {
  return typeof value === "string" && !hasVisibleText(value) && !UNTYPED.test(value);
}

/** The time by which a decision names what it was shown, such as a dispute. */
export const shownTimeSchema = optionalSchema(z.iso.datetime("validation.invalid"));

/** A box that a form sends as "on", and a program as a boolean. */
export const tickedSchema = z
  .preprocess((value) => (value === "on" ? true : value), z.boolean("validation.invalid"))
  .optional();

/** The vault's state that a decision about the money was shown, as `VaultView.revision` names it. */
export const vaultShownSchema = optionalSchema(lineSchema(tradeFieldLimits.vaultRevision)).describe(
  "`revision` of the vault that you were shown. If it has changed since, the call answers VAULT_CHANGED. Without this field, a call that gives the money back answers VAULT_CHANGED once the buyer has opened the vault, unless it is the buyer's own; an administrator's call that pays the seller does while the buyer has not opened the latest contents.",
);

/** An amount of money in whole tugrik; anything else is refused with `wrong`, and more than the limit with the limit. */
export const wholeAmountSchema = (wrong: string) =>
  z
    .number(wrong)
    .max(MAX_AMOUNT, { message: mostMoneyMessage(MAX_AMOUNT), abort: true })
    .int(wrong)
    .min(1, wrong);

/** The amount of a payment. */
export const amountSchema = wholeAmountSchema("validation.amount");

/** An id in a JSON body. */
export const idSchema = z
  .number("validation.id")
  .int("validation.id")
  .positive("validation.id")
  .max(2 ** 53 - 1, "validation.id");

/** An email address that the other party or Midman may write to. */
export const emailSchema = lineSchema(tradeFieldLimits.email, 1, "validation.contactEmail").pipe(
  z.email("validation.contactEmail"),
);

/** A phone number that can exist, required. */
export const phoneNumber = lineSchema(tradeFieldLimits.phone, 1, "validation.phoneRequired").refine(
  isPhone,
  "validation.phone",
);

/** The reference of a transfer on the bank statement. */
export const bankReference = lineSchema(tradeFieldLimits.bankReference, 1, "validation.bankReference");

/** An amount in tugrik that the page shows and the administrator types to confirm the decision. */
export const typedSumSchema = z.number("validation.rulingSum").int("validation.rulingSum");

/** An id in a query or a form, which send it as text. */
export const coercedIdSchema = z.coerce
  .number("validation.id")
  .int("validation.id")
  .positive("validation.id")
  .max(2 ** 53 - 1, "validation.id");

/** A page of a list: the rows before the id last seen, at most `limit`. */
export const pageQuerySchema = z.object({
  before: z.coerce.number("validation.id").int("validation.id").positive("validation.id").optional(),
  limit: pageSizeSchema(500).default(100),
});
