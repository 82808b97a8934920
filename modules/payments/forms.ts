import { z } from "zod";
import { isDay } from "#format";

// Messages are keys of the catalogues (`validation.*`); whoever shows them translates.

/** Longest texts the money forms take, in characters, and the longest page of a list. */
export const limits = { name: 100, accountNumber: 24, bankReference: 64, reason: 2_000, page: 100 } as const;

// Control characters and bidirectional overrides could make one account number look like another.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]/u;

const line = (max: number, min: number, tooShort: string) =>
  z
    .string(tooShort)
    .trim()
    .min(min, { message: tooShort, abort: true })
    .max(max, { message: "validation.tooLong", abort: true })
    .refine((value) => !UNPRINTABLE.test(value), "validation.characters");

const optionalLine = (max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    line(max, 1, "validation.required").optional(),
  );

const id = z.coerce.number("validation.id").int("validation.id").positive("validation.id");
const reason = line(limits.reason, 1, "validation.reason");

/** Where money is sent. The trade's own forms check the IBAN and the telephone; here they are carried. */
export const destination = z.object(
  {
    bankName: line(limits.name, 2, "validation.bankName"),
    accountName: line(limits.name, 2, "validation.accountName"),
    accountNumber: line(limits.accountNumber, 4, "validation.accountNumber"),
    iban: optionalLine(40),
    phone: optionalLine(24),
  },
  "validation.object",
);

/** The bank's own number of a transfer. Spaces at the ends and the case of letters make no difference. */
export const bankReference = line(limits.bankReference, 1, "validation.bankReference").transform((value) =>
  value.toUpperCase(),
);

/** The mark of the destination that whoever acts was shown; without it nothing moves to an account on record. */
export const shown = {
  destinationDigest: z.string("validation.invalid").max(64, "validation.tooLong").optional(),
};

/** Approving a payout or refund. */
export const approval = z.object(shown, "validation.object");

/** Taking on the transfer of an approved payout or refund; `from`: whom one takes it over from. */
export const claim = z.object({ from: id.optional() }, "validation.object");

/** Sending an approved payout or refund. */
export const send = z.object({ bankReference, ...shown }, "validation.object");

/** Saying that a transfer had already been made when another took it over: the bank's number of it. */
export const report = z.object({ bankReference }, "validation.object");

/** A reason for a step that undoes or stops something. */
export const because = z.object({ reason }, "validation.object");

/** Taking an approval back; `from`: whom one takes the transfer from. */
export const withdrawal = z.object({ reason, from: id.optional() }, "validation.object");

/** What a person found out about money in doubt. */
export const resolve = z.discriminatedUnion(
  "outcome",
  [
    z.object({ outcome: z.literal("sent"), bankReference }),
    z.object({ outcome: z.literal("not_sent"), reason }),
  ],
  "validation.required",
);

/** What a person may decide about a reason of a trade's hold. */
export const holdResolutions = ["dismissed", "booked", "taken_back", "same_payment"] as const;
export type HoldResolution = (typeof holdResolutions)[number];

/** What a person decides about a reason of a trade's hold, and why. */
export const holdResolution = z.object(
  {
    outcome: z.enum(holdResolutions, "validation.required"),
    note: reason,
  },
  "validation.object",
);

/** A Mongolian day as `yyyy-MM-dd`, one that exists. */
export const day = z
  .string("validation.day")
  .refine((value) => isDay(value) && value >= "2020-01-01", "validation.day");

/** Which day to compare with the provider's list. */
export const reconcile = z.object({ day }, "validation.object");

/** What was found out about a difference. */
export const resolveDifference = z.object({ note: reason }, "validation.object");

/** The largest sum of one settlement, in whole tugrik: many trades come in it. */
export const MAX_SETTLED = 999_999_999_999;

const settled = (least: number) =>
  z
    .number("validation.settled")
    .int("validation.settled")
    .min(least, "validation.settled")
    .max(MAX_SETTLED, "validation.settled");

/** A settlement of QPay as the bank's statement shows it: its number there, what came in, and what QPay kept of it. */
export const settlement = z.object(
  { bankReference, received: settled(1), cost: settled(0) },
  "validation.object",
);

/** The words by which a person confirms in writing that all outgoing money stops, and that it goes on. */
export const haltWords = {
  on: { en: "HALT", mn: "ЗОГСОО" },
  off: { en: "RESUME", mn: "ҮРГЭЛЖЛҮҮЛ" },
} as const;

const typed = (words: { en: string; mn: string }) =>
  z
    .string("validation.haltWord")
    .trim()
    .toUpperCase()
    .refine((value) => value === words.en || value === words.mn, "validation.haltWord");

/** The switch as a person turns it on a page: the reason, and the word typed out. */
export const haltOn = z.object({ reason, word: typed(haltWords.on) });
export const haltOff = z.object({ reason, word: typed(haltWords.off) });

/** The switch that stops every outgoing step. */
export const halt = z.object({ on: z.boolean("validation.required"), reason }, "validation.object");

/** A page of a list: `before` and `after` are the id of the last row seen. */
export const page = z.object({
  limit: z.coerce.number("validation.id").int("validation.id").min(1).max(limits.page).default(50),
  before: id.optional(),
  after: id.optional(),
});

/** How far a payout or refund may be. */
export const payoutStates = z.enum(["due", "approved", "sent", "done", "unknown", "void"]);

export type Destination = z.infer<typeof destination>;
export type SettlementInput = z.infer<typeof settlement>;
