import { z } from "zod";
import { isDay } from "#format";
import { isPhone } from "#forms/identity";
import { shownDestinationFields } from "#forms/payments";

export { pathId } from "#forms/rooms";

// Messages are keys of the catalogues (`validation.*`); whoever shows them translates.

/** The largest amount a trade may have, in whole tugrik (design §4). */
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
} as const;

/** Within how many hours of opening a hand-over its buyer should have made the account their own (specification §5). */
export const vaultCheckHours = 1;

/** The banks of Mongolia by their clearing code, null where none is known (qpay.md); a person may type another. */
export const mongolianBanks = [
  { code: "050000", en: "Khan Bank", mn: "Хаан банк" },
  { code: "150000", en: "Golomt Bank", mn: "Голомт банк" },
  { code: "040000", en: "Trade and Development Bank", mn: "Худалдаа хөгжлийн банк" },
  { code: "320000", en: "XacBank", mn: "Хас банк" },
  { code: "340000", en: "State Bank", mn: "Төрийн банк" },
  { code: "300000", en: "Capitron Bank", mn: "Капитрон банк" },
  { code: "380000", en: "Bogd Bank", mn: "Богд банк" },
  { code: "210000", en: "Arig Bank", mn: "Ариг банк" },
  { code: "330000", en: "Chinggis Khaan Bank", mn: "Чингис хаан банк" },
  { code: "290000", en: "National Investment Bank", mn: "Үндэсний хөрөнгө оруулалтын банк" },
  { code: "220000", en: "Credit Bank", mn: "Кредит банк" },
  { code: "190000", en: "Trans Bank", mn: "Транс банк" },
  { code: null, en: "M Bank", mn: "М банк" },
] as const;

// Control characters end lines and strings where nobody expects it; bidirectional overrides make one
// account number look like another.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]/u;
const UNPRINTABLE_BUT_LINES = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]/u;

const lineSchema = (max: number, min = 0, tooShort = "validation.required") =>
  z
    .string(tooShort)
    .trim()
    .min(min, { message: tooShort, abort: true })
    .max(max, { message: "validation.tooLong", abort: true })
    .refine((value) => !UNPRINTABLE.test(value), "validation.characters");

const proseSchema = (max: number, min = 0, tooShort = "validation.required") =>
  z
    .string(tooShort)
    .trim()
    .min(min, { message: tooShort, abort: true })
    .max(max, { message: "validation.tooLong", abort: true })
    .refine((value) => !UNPRINTABLE_BUT_LINES.test(value), "validation.characters");

/** An optional text: blank counts as absent, since a form posts every field it has. */
const optionalSchema = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    schema.optional(),
  );

const amountSchema = z
  .number("validation.amount")
  .int("validation.amount")
  .min(1, "validation.amount")
  .max(MAX_AMOUNT, "validation.amount");

const idSchema = z
  .number("validation.id")
  .int("validation.id")
  .positive("validation.id")
  .max(2 ** 53 - 1, "validation.id");

/** What a trade is about, as the payer reads it at the bank: a short list, and never a member's words. */
export const goodsKinds = ["account", "licence", "key", "item", "other"] as const;
export type Goods = (typeof goodsKinds)[number];
const goodsSchema = z.enum(goodsKinds, "validation.goods");

const feePayer = z.enum(["buyer", "seller", "split"], "validation.feePayer");

const emailSchema = lineSchema(tradeFieldLimits.email, 1, "validation.contactEmail").pipe(
  z.email("validation.contactEmail"),
);

const phoneNumber = lineSchema(tradeFieldLimits.phone, 8, "validation.phoneRequired").refine(
  isPhone,
  "validation.phone",
);

const bankName = lineSchema(tradeFieldLimits.name, 2, "validation.bankName");
const accountName = lineSchema(tradeFieldLimits.name, 2, "validation.accountName");
const accountNumber = lineSchema(tradeFieldLimits.accountNumber, 4, "validation.accountNumber")
  .transform((value) => value.replace(/[\s-]/g, ""))
  .refine((value) => /^\d{4,20}$/.test(value), "validation.accountNumber");

const ibanNumber = optionalSchema(
  lineSchema(40)
    .transform((value) => value.replace(/[\s-]/g, "").toUpperCase())
    .refine(isIban, "validation.iban"),
);

/**
 * True for a Mongolian IBAN: `MN`, 2 check digits, 4 of the bank and 12 of the account, remainder 1 modulo 97
 * (ISO 13616; qpay.md "Mongolia"). Takes it without spaces, in capitals.
 */
export function isIban(value: string): boolean {
  if (!/^MN\d{18}$/.test(value)) return false;
  // The first four places move to the end, letters count from A = 10: M = 22, N = 23.
  const digits = `${value.slice(4)}2223${value.slice(2, 4)}`;
  return [...digits].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0) === 1;
}

/** POST /api/transactions. `serviceFee` is checked against the policy in force, `sellerId` against the room. */
export const createTradeSchema = z.object(
  {
    chatRoomId: idSchema,
    amount: amountSchema,
    serviceFee: z
      .number("validation.serviceFee")
      .int("validation.serviceFee")
      .min(0, "validation.serviceFee")
      .optional(),
    feePayer: feePayer.default("buyer"),
    goods: goodsSchema.optional(),
    description: optionalSchema(lineSchema(tradeFieldLimits.description)),
    sellerId: idSchema.optional(),
  },
  "validation.object",
);

/**
 * The page's form, which requires `goods`: the payer reads it at the bank, and a default of "other item" would make honest trades look like a
 * payment for something else. API clients may omit it.
 */
export const createTradeFormSchema = createTradeSchema.extend({ goods: goodsSchema });

/** A wrong amount set right by the seller while nothing is paid. What is left out stays as it was. */
export const amendTradeSchema = z
  .object(
    {
      amount: amountSchema.optional(),
      feePayer: feePayer.optional(),
      goods: goodsSchema.optional(),
      description: optionalSchema(lineSchema(tradeFieldLimits.description)),
    },
    "validation.object",
  )
  .refine((value) => Object.values(value).some((part) => part !== undefined), "validation.nothingToChange");

const buyerContact = z.object(
  { infoType: z.literal("buyer", "validation.infoType"), accountName, phoneNumber, email: emailSchema },
  "validation.object",
);
const sellerBank = z.object(
  {
    infoType: z.literal("seller", "validation.infoType"),
    accountName,
    bankName,
    accountNumber,
    ibanNumber,
    phoneNumber,
    email: emailSchema,
  },
  "validation.object",
);

/** POST …/bank-info: the seller's account for the payout, or the buyer's contact form, told apart by `infoType`. */
export const saveBankInfoSchema = z.discriminatedUnion(
  "infoType",
  [sellerBank, buyerContact],
  "validation.infoType",
);

/** POST …/info-exchange: free text for the other side. */
export const shareInfoSchema = z.object(
  { info: proseSchema(tradeFieldLimits.info, 1, "validation.info") },
  "validation.object",
);

/** POST …/info-exchange/confirm: which version of the other side's information was read; without it the one that there is. */
export const confirmInfoSchema = z.object(
  {
    version: z
      .number("validation.invalid")
      .int("validation.invalid")
      .min(0, "validation.invalid")
      .max(1_000, "validation.invalid")
      .optional(),
  },
  "validation.object",
);

const bankReference = lineSchema(tradeFieldLimits.bankReference, 1, "validation.bankReference");

/** POST …/complete: nothing (specification), or the account that was shown. */
export const completeTradeSchema = z.object(shownDestinationFields, "validation.object");

/** POST …/settle: the bank's own number of the transfer. */
export const settleTradeSchema = z.object({ bankReference, ...shownDestinationFields }, "validation.object");

/** The sending of one payout on its page, where the sum is typed out: money moves only by who has read how much. */
export const settlePayoutSchema = z.object(
  { bankReference, sum: z.number("validation.sum") },
  "validation.object",
);

/** Opening a dispute: what went wrong, for the other side and the administrators. */
export const disputeStatementSchema = z.object(
  { reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason") },
  "validation.object",
);

const rulingFields = {
  ruling: z.enum(["release", "refund", "split"], "validation.ruling"),
  refundAmount: amountSchema.optional(),
};
const hasAmountOnlyForSplit = ({
  ruling,
  refundAmount,
}: {
  ruling: string;
  refundAmount?: number | undefined;
}) => (ruling === "split") === (refundAmount !== undefined);
const splitAmountIssue = { message: "validation.refundAmount", path: ["refundAmount"] };

/** A ruling whose sums are to be shown. A split names what the buyer gets back; the rest of gross − fee is the seller's. */
export const previewRulingSchema = z
  .object(rulingFields, "validation.object")
  .refine(hasAmountOnlyForSplit, splitAmountIssue);

/** What somebody saw that they decide about, typed out. */
const typedSumSchema = z.number("validation.rulingSum").int("validation.rulingSum");

/** POST …/pay-seller, and calling off a trade whose money is held, on its page. */
export const confirmedSumSchema = z.object({ sum: typedSumSchema }, "validation.object");

/** The ruling itself: why, and the sum that was shown, typed out. */
export const rulingSchema = z
  .object(
    {
      ...rulingFields,
      reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason"),
      sum: typedSumSchema,
      /** Whoever rules knows what the preview warned of. */
      warningsConfirmed: z
        .preprocess((value) => (value === "on" ? true : value), z.boolean("validation.invalid"))
        .optional(),
    },
    "validation.object",
  )
  .refine(hasAmountOnlyForSplit, splitAmountIssue);

/** Confirming a ruling that another proposed: which one, and the sum that was shown, typed out. */
export const confirmRulingSchema = z.object({ proposal: idSchema, sum: typedSumSchema }, "validation.object");

/** Taking a proposed ruling back. */
export const withdrawRulingSchema = z.object({ proposal: idSchema }, "validation.object");

/** What a mediator says to both sides. */
export const mediatorMessageSchema = z.object(
  { words: proseSchema(tradeFieldLimits.reason, 1, "validation.mediation") },
  "validation.object",
);

/** The seller's note on how and where the goods were handed over. */
export const handOverSchema = z.object(
  { note: optionalSchema(proseSchema(tradeFieldLimits.note)) },
  "validation.object",
);

// Exactly as it was typed: a space at either end belongs to a password.
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
  /** Recovery codes and how to move the second factor. */
  recoveryNotes: optionalSchema(proseSchema(tradeFieldLimits.info)),
  notes: optionalSchema(proseSchema(tradeFieldLimits.info)),
};

const hasFilledField = ({ clientId: _, ...parts }: Record<string, unknown>) =>
  Object.values(parts).some((part) => part !== undefined);

/** POST …/vault: what the seller seals for the buyer. A repeat with the same `clientId` seals once. */
export const sealVaultSchema = z
  .object({ ...vaultFields, clientId: z.guid("validation.id").toLowerCase().optional() }, "validation.object")
  .refine(hasFilledField, "validation.vaultEmpty");

/** What is sealed and never sent back in a page: where a form is shown again these are to be typed again. */
export const vaultSecrets = ["password", "emailPassword", "recoveryNotes"] as const;
type VaultSecret = (typeof vaultSecrets)[number];

/** The secrets that were typed into a form that was refused, as its field `typed` names them, in their order. */
export function typedSecrets(typed: unknown): VaultSecret[] {
  const names = typeof typed === "string" ? typed.split(" ") : [];
  return vaultSecrets.filter((name) => names.includes(name));
}

/**
 * The page's form, where sealing is asked twice. `typed` names what was filled in before the form was shown again: it came back
 * empty, and is not sealed so. Who wants it empty begins with a new form.
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

/** POST …/vault/check: what the buyer has done since opening. What is left out stays as it was; nothing is taken back. */
export const checkVaultSchema = z
  .object(
    { password: checkboxSchema, secondFactor: checkboxSchema, recovery: checkboxSchema },
    "validation.object",
  )
  .refine((value) => Object.values(value).some(Boolean), "validation.vaultCheck");

/** Where a refund goes: QR money returns by bank transfer, so the buyer is asked (design §4). */
export const refundDestinationSchema = z.object(
  { accountName, bankName, accountNumber, ibanNumber },
  "validation.object",
);

/** POST …/destination: an administrator names that account, and says why it is them and this one. */
export const nameRefundAccountSchema = refundDestinationSchema.extend({
  reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason"),
});

/** A payment confirmed by hand on a system failure: what arrived, and the bank's or provider's number of it. */
export const manualPaymentSchema = z.object(
  {
    amount: amountSchema,
    reference: lineSchema(tradeFieldLimits.bankReference, 1, "validation.bankReference"),
  },
  "validation.object",
);

/** A payment proposed by hand is laid aside: which one, and why. */
export const dismissManualPaymentSchema = z.object(
  { proposal: idSchema, reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason") },
  "validation.object",
);

/** POST /api/qpay/invoices and /api/qpay/create-payment; `fresh` asks for a new QR in place of the one shown. */
export const issueInvoiceSchema = z.object(
  { transactionId: idSchema, fresh: z.boolean("validation.invalid").optional() },
  "validation.object",
);

/** What a request for support may be about. */
export const supportTopics = ["payment", "room", "account", "dispute", "other"] as const;
export type SupportTopic = (typeof supportTopics)[number];

/** Support answers mail within so many hours, at best and at most (specification §2). */
export const replyHours = [24, 48] as const;

// What a Cyrillic keyboard types in place of Latin letters and digits; codes have neither I, L nor O, so those are digits.
const lookalikeCharacters: Readonly<Record<string, string>> = {
  ...{ А: "A", В: "B", Е: "E", К: "K", М: "M", Н: "H", Р: "P", С: "C", Т: "T", У: "Y", Х: "X" },
  ...{ З: "3", О: "0", O: "0", I: "1", L: "1" },
};

/** A transaction code as it is stored, whatever its case, spaces and look-alike letters; undefined for what is none. */
export function readTransactionCode(given: string): string | undefined {
  const plain = [...given.normalize("NFKC").toUpperCase()]
    .map((letter) => lookalikeCharacters[letter] ?? letter)
    .join("");
  const code = /^(?:MM)?([0-9A-HJKMNP-TV-Z]{8})$/.exec(plain.replace(/[\s\p{Pd}]/gu, ""))?.[1];
  return code === undefined ? undefined : `MM-${code}`;
}

const transactionCodeSchema = lineSchema(tradeFieldLimits.name).transform((value, context) => {
  const code = readTransactionCode(value);
  if (code !== undefined) return code;
  context.addIssue("validation.transactionCode");
  return z.NEVER;
});

/** POST /api/support. Who is signed in is known by name and address; what a form says of them is passed over. */
export const askSupportSchema = z.object(
  {
    topic: z.enum(supportTopics, "validation.supportTopic"),
    code: optionalSchema(transactionCodeSchema),
    name: optionalSchema(lineSchema(tradeFieldLimits.name)),
    email: optionalSchema(emailSchema),
    message: proseSchema(
      tradeFieldLimits.message,
      tradeFieldLimits.supportMessageMin,
      "validation.supportMessage",
    ),
    clientId: z.guid("validation.id").toLowerCase().optional(),
    /** Hidden from people: only programs fill it in. */
    website: z.string("validation.invalid").max(tradeFieldLimits.reason, "validation.tooLong").optional(),
  },
  "validation.object",
);

/** The page's form for somebody who is not signed in. */
export const visitorSupportSchema = askSupportSchema.extend({
  name: lineSchema(tradeFieldLimits.name, 1, "validation.supportName"),
  email: emailSchema,
});

/** The kinds of work that wait for administrators, in the order in which they are named above the list. */
export const workKinds = [
  "alarm",
  "payout",
  "refund",
  "suspense",
  "dispute",
  "unconfirmed",
  "hold",
  "byHand",
  "settlement",
  "restriction",
  "report",
  "difference",
  "job",
  "mail",
] as const;
export type WorkKind = (typeof workKinds)[number];

/** What is reported, and what has happened. */
export const reportAbout = ["person", "message", "code"] as const;
export type ReportAbout = (typeof reportAbout)[number];
export const reportHappened = ["fraud", "other_payment", "impersonation", "abuse", "other"] as const;
export type ReportHappened = (typeof reportHappened)[number];

const coercedIdSchema = z.coerce
  .number("validation.id")
  .int("validation.id")
  .positive("validation.id")
  .max(2 ** 53 - 1, "validation.id");

const reportSubjectFields = {
  about: z.enum(reportAbout, "validation.invalid"),
  roomId: optionalSchema(coercedIdSchema),
  personId: optionalSchema(coercedIdSchema),
  messageId: optionalSchema(coercedIdSchema),
  code: optionalSchema(lineSchema(tradeFieldLimits.name)),
};

/** What a report is about, as it stands in the form's address. */
export const reportSubjectSchema = z.object(reportSubjectFields);
export type ReportSubject = z.output<typeof reportSubjectSchema>;

/** POST /api/reports. Members report a person or a message of a room of theirs, anybody a code; a visitor may leave an address. */
export const fileReportSchema = z.object(
  {
    ...reportSubjectFields,
    happened: z.enum(reportHappened, "validation.reportHappened"),
    words: proseSchema(tradeFieldLimits.reason, tradeFieldLimits.supportMessageMin, "validation.reportWords"),
    email: optionalSchema(emailSchema),
    clientId: optionalSchema(z.guid("validation.id").toLowerCase()),
    website: optionalSchema(lineSchema(tradeFieldLimits.name)),
  },
  "validation.object",
);
export type ReportInput = z.output<typeof fileReportSchema>;

/** What an administrator found of a report, and did. */
export const resolveReportSchema = z.object(
  { note: proseSchema(tradeFieldLimits.reason, 1, "validation.reason") },
  "validation.object",
);

const reportPageSizes = { most: 100, page: 25 };

/** The call's query of the administrators' reports. */
export const reportQuerySchema = z.object({
  show: z.enum(["open", "resolved"], "validation.invalid").default("open"),
  person: coercedIdSchema.optional(),
  report: coercedIdSchema.optional(),
  before: coercedIdSchema.optional(),
  limit: coercedIdSchema.max(reportPageSizes.most, "validation.id").default(reportPageSizes.page),
});

/** The same in the page's address, where what means nothing is as if it were absent. */
export const reportFilterSchema = z.object({
  show: z.enum(["open", "resolved"]).catch("open"),
  person: coercedIdSchema.optional().catch(undefined),
  report: coercedIdSchema.optional().catch(undefined),
  before: coercedIdSchema.optional().catch(undefined),
  limit: coercedIdSchema.max(reportPageSizes.most).catch(reportPageSizes.page),
});
export type ReportFilter = z.output<typeof reportFilterSchema>;

/** A page of a list: rows before the id last seen, at most `limit`. */
export const pageQuerySchema = z.object({
  before: z.coerce.number("validation.id").int("validation.id").positive("validation.id").optional(),
  limit: z.coerce
    .number("validation.id")
    .int("validation.id")
    .min(1, "validation.id")
    .max(500, "validation.id")
    .default(100),
});

/** What is true of a trade's money, and in what order trades may stand, where administrators look for them. */
export const moneyFilters = ["waiting", "held", "disputed", "released", "returned", "none"] as const;
export type MoneyFilter = (typeof moneyFilters)[number];
export const transactionSorts = ["newest", "oldest", "largest", "smallest"] as const;
export type TransactionSort = (typeof transactionSorts)[number];

const daySchema = z.string("validation.day").refine(isDay, "validation.day");

/**
 * The administrators' list: one status or a word for several, words of the code, the description or a party's username,
 * the state of the money, and days in Mongolia from the first to the last.
 */
export const transactionFilterSchema = pageQuerySchema.extend({
  status: optionalSchema(lineSchema(tradeFieldLimits.name)),
  search: optionalSchema(lineSchema(tradeFieldLimits.name)),
  money: optionalSchema(z.enum(moneyFilters, "validation.invalid")),
  from: optionalSchema(daySchema),
  to: optionalSchema(daySchema),
  sort: optionalSchema(z.enum(transactionSorts, "validation.invalid")),
});

export type CreateTradeInput = z.infer<typeof createTradeSchema>;
export type AmendInput = z.infer<typeof amendTradeSchema>;
export type BankInfoInput = z.infer<typeof saveBankInfoSchema>;
export type RulingInput = z.infer<typeof rulingSchema>;
export type ConfirmRulingInput = z.infer<typeof confirmRulingSchema>;
export type RulingPreviewInput = z.infer<typeof previewRulingSchema>;
export type RefundDestinationInput = z.infer<typeof refundDestinationSchema>;
export type NameRefundAccountInput = z.infer<typeof nameRefundAccountSchema>;
export type SupportInput = z.infer<typeof askSupportSchema>;
export type VaultInput = z.infer<typeof sealVaultSchema>;
export type VaultCheckInput = z.infer<typeof checkVaultSchema>;
export type ManualPaymentInput = z.infer<typeof manualPaymentSchema>;
export type DismissManualPaymentInput = z.infer<typeof dismissManualPaymentSchema>;
