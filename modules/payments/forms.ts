import { z } from "zod";
import { hasVisibleText, isDay, mostMoneyMessage, rangeMessage, textIssue } from "#format";

// Messages are keys of the text catalogues (`validation.*`). The page that shows them translates them.

/** Length limits of the money forms' texts in characters, and the largest page size of a list. */
export const moneyFormLimits = {
  name: 100,
  accountNumber: 24,
  bankReference: 64,
  reason: 2_000,
  claimNote: 500,
  page: 100,
} as const;

/** Control characters end lines and strings unexpectedly; bidirectional overrides make one account number look like another. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** A text of one line, trimmed, of `min` to `max` characters; a required one has something that can be seen. */
export const lineSchema = (max: number, min = 0, tooShort = "validation.required") =>
  z
    .string(textIssue(tooShort))
    .trim()
    .min(min, { message: tooShort, abort: true })
    .max(max, { message: "validation.tooLong", abort: true })
    .refine((value) => min === 0 || hasVisibleText(value), tooShort)
    .refine((value) => !UNPRINTABLE.test(value), "validation.characters");

const optionalLineSchema = (max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    lineSchema(max, 1, "validation.required").optional(),
  );

const idSchema = z.coerce.number("validation.id").int("validation.id").positive("validation.id");
const reasonSchema = lineSchema(moneyFormLimits.reason, 1, "validation.reasonMissing");
/** What an administrator found out. */
const findingSchema = lineSchema(moneyFormLimits.reason, 1, "validation.found");

/**
 * The bank account that money is sent to. The trade's own forms check the IBAN and the telephone number; this schema only limits their
 * length.
 */
export const destinationSchema = z.object(
  {
    bankName: lineSchema(moneyFormLimits.name, 2, "validation.bankName"),
    accountName: lineSchema(moneyFormLimits.name, 2, "validation.accountName"),
    accountNumber: lineSchema(moneyFormLimits.accountNumber, 4, "validation.accountNumber"),
    iban: optionalLineSchema(40),
    phone: optionalLineSchema(24),
  },
  "validation.object",
);

/** The bank's own reference of a transfer. Spaces around it and the case of its letters make no difference. */
const bankReferenceSchema = lineSchema(
  moneyFormLimits.bankReference,
  1,
  "validation.bankReference",
).transform((value) => value.toUpperCase());

/** Digest of the destination that the administrator saw (`destinationDigest`). A step that sends money to a stored account needs it. */
export const shownDestinationFields = {
  destinationDigest: z.string("validation.invalid").max(64, "validation.tooLong").optional(),
};

/** Input of approving a payout or refund. */
export const approvePayoutSchema = z.object(shownDestinationFields, "validation.object");

/** Input of claiming an approved payout or refund; `from`: id of the administrator from whom the claim is taken over. */
export const claimPayoutSchema = z.object(
  { from: idSchema.optional(), note: optionalLineSchema(moneyFormLimits.claimNote) },
  "validation.object",
);

export type ClaimPayoutInput = Omit<z.infer<typeof claimPayoutSchema>, "from"> & {
  from?: number | null | undefined;
};

/** Input of marking an approved payout or refund as sent. */
export const markPayoutSentSchema = z.object(
  { bankReference: bankReferenceSchema, ...shownDestinationFields },
  "validation.object",
);

/** Input of reporting a transfer that was made before another administrator took over its claim: the bank's reference of it. */
export const reportPayoutSentSchema = z.object({ bankReference: bankReferenceSchema }, "validation.object");

/** A reason for a step that undoes or stops something. */
export const stepReasonSchema = z.object({ reason: reasonSchema }, "validation.object");

/** Input of withdrawing an approval; `from`: id of the administrator who has claimed the transfer. */
export const withdrawApprovalSchema = z.object(
  { reason: reasonSchema, from: idSchema.optional() },
  "validation.object",
);

/** What an administrator found out about a transfer in doubt. */
export const resolveUnknownPayoutSchema = z.discriminatedUnion(
  "outcome",
  [
    z.object({ outcome: z.literal("sent"), bankReference: bankReferenceSchema }),
    z.object({ outcome: z.literal("not_sent"), reason: reasonSchema }),
  ],
  "validation.required",
);

/** The decisions an administrator may make about one reason of a trade's hold. */
export const holdResolutions = ["dismissed", "booked", "taken_back", "same_payment"] as const;
export type HoldResolution = (typeof holdResolutions)[number];

/** An administrator's decision about one reason of a trade's hold, and its explanation. */
export const resolveHoldSchema = z.object(
  {
    outcome: z.enum(holdResolutions, "validation.required"),
    note: findingSchema,
  },
  "validation.object",
);

/** A Mongolian calendar day as `yyyy-MM-dd`; must exist and be 2020-01-01 or later. */
export const mongolianDaySchema = z
  .string("validation.day")
  .refine((value) => isDay(value) && value >= "2020-01-01", "validation.day");

/** The day to compare with the provider's payment list. */
export const reconcileDaySchema = z.object({ day: mongolianDaySchema }, "validation.object");

/** The explanation that resolves a difference. */
export const resolveDifferenceSchema = z.object({ note: findingSchema }, "validation.object");

/** The largest amount of one settlement in ₮. One settlement covers many trades. */
const MAX_SETTLED = 999_999_999_999;

const settledAmountSchema = (least: number) =>
  z
    .number("validation.settled")
    .max(MAX_SETTLED, { message: mostMoneyMessage(MAX_SETTLED), abort: true })
    .int("validation.settled")
    .min(least, "validation.settled");

/** A QPay settlement as the bank statement shows it: the bank's reference, the amount received and the fee that QPay kept, in ₮. */
export const settlementSchema = z.object(
  { bankReference: bankReferenceSchema, received: settledAmountSchema(1), cost: settledAmountSchema(0) },
  "validation.object",
);

/** The words that an administrator types to confirm that all outgoing money is halted (`on`) or resumed (`off`). */
export const haltWords = {
  on: { en: "HALT", mn: "ЗОГСОО" },
  off: { en: "RESUME", mn: "ҮРГЭЛЖЛҮҮЛ" },
} as const;

const typedWordSchema = (words: { en: string; mn: string }) =>
  z
    .string("validation.haltWord")
    .trim()
    .toUpperCase()
    .refine((value) => value === words.en || value === words.mn, "validation.haltWord");

/** The halt switch as a page submits it: the reason and the typed word. */
export const confirmHaltSchema = z.object({ reason: reasonSchema, word: typedWordSchema(haltWords.on) });
export const confirmResumeSchema = z.object({ reason: reasonSchema, word: typedWordSchema(haltWords.off) });

/** The switch that halts every outgoing step. */
export const haltSwitchSchema = z.object(
  { on: z.boolean("validation.required"), reason: reasonSchema },
  "validation.object",
);

/** The size of a page of a list, in a query: 1 to `max`. */
export const pageSizeSchema = (max: number) => {
  const issue = rangeMessage(1, max);
  return z.coerce.number(issue).int(issue).min(1, issue).max(max, issue);
};

/** One page of a list; `before` and `after` are the id of the last row seen. */
export const moneyPageSchema = z.object({
  limit: pageSizeSchema(moneyFormLimits.page).default(50),
  before: idSchema.optional(),
  after: idSchema.optional(),
});

/** The state of a payout or refund. */
export const payoutStateSchema = z.enum(["due", "approved", "sent", "done", "unknown", "void"]);

export type Destination = z.infer<typeof destinationSchema>;
export type SettlementInput = z.infer<typeof settlementSchema>;
