import { z } from "zod";
import { isDay } from "#format";

// Messages are keys of the catalogues (`validation.*`); whoever shows them translates.

/** Longest texts the money forms take, in characters, and the longest page of a list. */
export const moneyFormLimits = {
  name: 100,
  accountNumber: 24,
  bankReference: 64,
  reason: 2_000,
  page: 100,
} as const;

// Control characters and bidirectional overrides could make one account number look like another.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]/u;

const lineSchema = (max: number, min: number, tooShort: string) =>
  z
    .string(tooShort)
    .trim()
    .min(min, { message: tooShort, abort: true })
    .max(max, { message: "validation.tooLong", abort: true })
    .refine((value) => !UNPRINTABLE.test(value), "validation.characters");

const optionalLineSchema = (max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    lineSchema(max, 1, "validation.required").optional(),
  );

const idSchema = z.coerce.number("validation.id").int("validation.id").positive("validation.id");
const reasonSchema = lineSchema(moneyFormLimits.reason, 1, "validation.reason");

/** Where money is sent. The trade's own forms check the IBAN and the telephone; here they are carried. */
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

/** The bank's own number of a transfer. Spaces at the ends and the case of letters make no difference. */
export const bankReferenceSchema = lineSchema(
  moneyFormLimits.bankReference,
  1,
  "validation.bankReference",
).transform((value) => value.toUpperCase());

/** The mark of the destination that whoever acts was shown; without it nothing moves to an account on record. */
export const shownDestinationFields = {
  destinationDigest: z.string("validation.invalid").max(64, "validation.tooLong").optional(),
};

/** Approving a payout or refund. */
export const approvePayoutSchema = z.object(shownDestinationFields, "validation.object");

/** Taking on the transfer of an approved payout or refund; `from`: whom one takes it over from. */
export const claimPayoutSchema = z.object({ from: idSchema.optional() }, "validation.object");

/** Sending an approved payout or refund. */
export const markPayoutSentSchema = z.object(
  { bankReference: bankReferenceSchema, ...shownDestinationFields },
  "validation.object",
);

/** Saying that a transfer had already been made when another took it over: the bank's number of it. */
export const reportPayoutSentSchema = z.object({ bankReference: bankReferenceSchema }, "validation.object");

/** A reason for a step that undoes or stops something. */
export const stepReasonSchema = z.object({ reason: reasonSchema }, "validation.object");

/** Taking an approval back; `from`: whom one takes the transfer from. */
export const withdrawApprovalSchema = z.object(
  { reason: reasonSchema, from: idSchema.optional() },
  "validation.object",
);

/** What a person found out about money in doubt. */
export const resolveUnknownPayoutSchema = z.discriminatedUnion(
  "outcome",
  [
    z.object({ outcome: z.literal("sent"), bankReference: bankReferenceSchema }),
    z.object({ outcome: z.literal("not_sent"), reason: reasonSchema }),
  ],
  "validation.required",
);

/** What a person may decide about a reason of a trade's hold. */
export const holdResolutions = ["dismissed", "booked", "taken_back", "same_payment"] as const;
export type HoldResolution = (typeof holdResolutions)[number];

/** What a person decides about a reason of a trade's hold, and why. */
export const resolveHoldSchema = z.object(
  {
    outcome: z.enum(holdResolutions, "validation.required"),
    note: reasonSchema,
  },
  "validation.object",
);

/** A Mongolian day as `yyyy-MM-dd`, one that exists. */
export const mongolianDaySchema = z
  .string("validation.day")
  .refine((value) => isDay(value) && value >= "2020-01-01", "validation.day");

/** Which day to compare with the provider's list. */
export const reconcileDaySchema = z.object({ day: mongolianDaySchema }, "validation.object");

/** What was found out about a difference. */
export const resolveDifferenceSchema = z.object({ note: reasonSchema }, "validation.object");

/** The largest sum of one settlement, in whole tugrik: many trades come in it. */
export const MAX_SETTLED = 999_999_999_999;

const settledAmountSchema = (least: number) =>
  z
    .number("validation.settled")
    .int("validation.settled")
    .min(least, "validation.settled")
    .max(MAX_SETTLED, "validation.settled");

/** A settlement of QPay as the bank's statement shows it: its number there, what came in, and what QPay kept of it. */
export const settlementSchema = z.object(
  { bankReference: bankReferenceSchema, received: settledAmountSchema(1), cost: settledAmountSchema(0) },
  "validation.object",
);

/** The words by which a person confirms in writing that all outgoing money stops, and that it goes on. */
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

/** The switch as a person turns it on a page: the reason, and the word typed out. */
export const confirmHaltSchema = z.object({ reason: reasonSchema, word: typedWordSchema(haltWords.on) });
export const confirmResumeSchema = z.object({ reason: reasonSchema, word: typedWordSchema(haltWords.off) });

/** The switch that stops every outgoing step. */
export const haltSwitchSchema = z.object(
  { on: z.boolean("validation.required"), reason: reasonSchema },
  "validation.object",
);

/** A page of a list: `before` and `after` are the id of the last row seen. */
export const moneyPageSchema = z.object({
  limit: z.coerce.number("validation.id").int("validation.id").min(1).max(moneyFormLimits.page).default(50),
  before: idSchema.optional(),
  after: idSchema.optional(),
});

/** How far a payout or refund may be. */
export const payoutStateSchema = z.enum(["due", "approved", "sent", "done", "unknown", "void"]);

export type Destination = z.infer<typeof destinationSchema>;
export type SettlementInput = z.infer<typeof settlementSchema>;
