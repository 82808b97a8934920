import { z } from "zod";
import { isDay } from "#format";
import { isPhone } from "#forms/identity";
import { shownDestinationFields } from "#forms/payments";

export { pathId } from "#forms/rooms";

// Error messages are keys of the catalogues (`validation.*`); the code that shows them translates them.

/** The largest amount a trade may have, in whole tugrik. */
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

/** Hours after opening the vault within which the buyer should secure the account. */
export const vaultCheckHours = 1;

/** Banks of Mongolia with their clearing codes; null where the code is not known. A user may type another bank. */
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

// Control characters end lines and strings unexpectedly; bidirectional overrides make one account number look like another.
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

/** An optional text. A blank value counts as absent, because a form posts every field it has. */
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

/** The kind of goods of a trade. The payer reads it at the bank, so it is a fixed list and never a member's own text. */
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
 * True for a Mongolian IBAN: `MN`, 2 check digits, 4 digits of the bank and 12 of the account, remainder 1 modulo 97 (ISO 13616). The value
 * must have no spaces and only capital letters.
 */
export function isIban(value: string): boolean {
  if (!/^MN\d{18}$/.test(value)) return false;
  // The first four characters move to the end, and letters count from A = 10: M = 22, N = 23.
  const digits = `${value.slice(4)}2223${value.slice(2, 4)}`;
  return [...digits].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0) === 1;
}

/** Body of POST /api/transactions. `createTrade` checks `serviceFee` against the current fee policy and `sellerId` against the room. */
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
 * The page's form. It requires `goods`: the payer reads the kind at the bank, and a default of "other item" would make an honest trade look
 * like a payment for something else. API clients may omit it.
 */
export const createTradeFormSchema = createTradeSchema.extend({ goods: goodsSchema });

/** The seller's correction of a payment request that is not paid yet. Omitted fields keep their values. */
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

/** Body of POST …/bank-info: the seller's account for the payout, or the buyer's contact details, distinguished by `infoType`. */
export const saveBankInfoSchema = z.discriminatedUnion(
  "infoType",
  [sellerBank, buyerContact],
  "validation.infoType",
);

/** Body of POST …/info-exchange: free text for the other party. */
export const shareInfoSchema = z.object(
  { info: proseSchema(tradeFieldLimits.info, 1, "validation.info") },
  "validation.object",
);

/** Body of POST …/info-exchange/confirm: the version of the other party's information that was read; if omitted, the current version. */
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

/** Body of POST …/complete: empty, or the account that was shown. */
export const completeTradeSchema = z.object(shownDestinationFields, "validation.object");

/** Body of POST …/settle: the bank's reference of the transfer, and optionally the account that was shown. */
export const settleTradeSchema = z.object({ bankReference, ...shownDestinationFields }, "validation.object");

/** Marks one payout as sent on its own page. The administrator types the amount, to prove that they have read it. */
export const settlePayoutSchema = z.object(
  { bankReference, sum: z.number("validation.sum") },
  "validation.object",
);

/** A statement in a dispute: what went wrong. The other party and the administrators read it. */
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

/** A ruling whose amounts are previewed. A split states the buyer's refund; the seller gets the rest of gross − fee. */
export const previewRulingSchema = z
  .object(rulingFields, "validation.object")
  .refine(hasAmountOnlyForSplit, splitAmountIssue);

/** An amount in tugrik that the page shows and the administrator types to confirm the decision. */
const typedSumSchema = z.number("validation.rulingSum").int("validation.rulingSum");

/** Body of POST …/pay-seller, and of cancelling a trade whose money is held, on its page. */
export const confirmedSumSchema = z.object({ sum: typedSumSchema }, "validation.object");

/** The ruling itself: the reason, and the amount of the preview, typed by the administrator. */
export const rulingSchema = z
  .object(
    {
      ...rulingFields,
      reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason"),
      sum: typedSumSchema,
      /** The administrator has read the warnings of the preview. Required if there are any (RULING_WARNED). */
      warningsConfirmed: z
        .preprocess((value) => (value === "on" ? true : value), z.boolean("validation.invalid"))
        .optional(),
    },
    "validation.object",
  )
  .refine(hasAmountOnlyForSplit, splitAmountIssue);

/** Confirms a ruling that another administrator proposed: the proposal, and the amount that was shown, typed. */
export const confirmRulingSchema = z.object({ proposal: idSchema, sum: typedSumSchema }, "validation.object");

/** Withdraws a proposed ruling. */
export const withdrawRulingSchema = z.object({ proposal: idSchema }, "validation.object");

/** A mediator's message to both parties. */
export const mediatorMessageSchema = z.object(
  { words: proseSchema(tradeFieldLimits.reason, 1, "validation.mediation") },
  "validation.object",
);

/** The seller's note on how and where the goods were handed over. */
export const handOverSchema = z.object(
  { note: optionalSchema(proseSchema(tradeFieldLimits.note)) },
  "validation.object",
);

// Not trimmed: a space at either end may belong to a password.
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
  /** Recovery codes, and how to transfer the second factor. */
  recoveryNotes: optionalSchema(proseSchema(tradeFieldLimits.info)),
  notes: optionalSchema(proseSchema(tradeFieldLimits.info)),
};

const hasFilledField = ({ clientId: _, ...parts }: Record<string, unknown>) =>
  Object.values(parts).some((part) => part !== undefined);

/** Body of POST …/vault: what the seller seals for the buyer. A repeat with the same `clientId` does not seal it again. */
export const sealVaultSchema = z
  .object({ ...vaultFields, clientId: z.guid("validation.id").toLowerCase().optional() }, "validation.object")
  .refine(hasFilledField, "validation.vaultEmpty");

/** Sealed fields that no page ever shows again: if the form is shown again, the seller must type them again. */
export const vaultSecrets = ["password", "emailPassword", "recoveryNotes"] as const;
type VaultSecret = (typeof vaultSecrets)[number];

/** The secrets that were typed into a refused form, as its field `typed` names them; in the order of `vaultSecrets`. */
export function typedSecrets(typed: unknown): VaultSecret[] {
  const names = typeof typed === "string" ? typed.split(" ") : [];
  return vaultSecrets.filter((name) => names.includes(name));
}

/**
 * The page's form, which asks for a confirmation before sealing (`sure`). `typed` names the secrets that were filled in before the form was
 * shown again. They come back empty, and the form refuses to seal them empty. To leave one empty, the seller starts a new form.
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

/** Body of POST …/vault/check: what the buyer has done since opening the vault. Omitted items stay as they were; none can be undone. */
export const checkVaultSchema = z
  .object(
    { password: checkboxSchema, secondFactor: checkboxSchema, recovery: checkboxSchema },
    "validation.object",
  )
  .refine((value) => Object.values(value).some(Boolean), "validation.vaultCheck");

/** The account for a refund: QR payments are refunded by bank transfer, so the buyer is asked for it. */
export const refundDestinationSchema = z.object(
  { accountName, bankName, accountNumber, ibanNumber },
  "validation.object",
);

/** Body of POST …/destination: an administrator enters that account, and the reason why they do so and why it is this one. */
export const nameRefundAccountSchema = refundDestinationSchema.extend({
  reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason"),
});

/** A manual payment, recorded after a system failure: the amount that arrived, and the bank's or provider's reference. */
export const manualPaymentSchema = z.object(
  {
    amount: amountSchema,
    reference: lineSchema(tradeFieldLimits.bankReference, 1, "validation.bankReference"),
  },
  "validation.object",
);

/** Dismisses a proposed manual payment: the proposal and the reason. */
export const dismissManualPaymentSchema = z.object(
  { proposal: idSchema, reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason") },
  "validation.object",
);

/** Body of POST /api/qpay/invoices and /api/qpay/create-payment. `fresh` asks for a new QR code in place of the one shown. */
export const issueInvoiceSchema = z.object(
  { transactionId: idSchema, fresh: z.boolean("validation.invalid").optional() },
  "validation.object",
);

/** Topics of a support request. */
export const supportTopics = ["payment", "room", "account", "dispute", "other"] as const;
export type SupportTopic = (typeof supportTopics)[number];

/** Support replies within this many hours: the shortest and the longest time. */
export const replyHours = [24, 48] as const;

// Characters that a Cyrillic keyboard types in place of Latin letters and digits. Codes contain no I, L or O, so those stand for digits.
const lookalikeCharacters: Readonly<Record<string, string>> = {
  ...{ А: "A", В: "B", Е: "E", К: "K", М: "M", Н: "H", Р: "P", С: "C", Т: "T", У: "Y", Х: "X" },
  ...{ З: "3", О: "0", O: "0", I: "1", L: "1" },
};

/** A transaction code in its stored form, whatever its case, spaces and look-alike letters. Undefined if the text is not a code. */
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

/** Body of POST /api/support. The account gives a signed-in user's name and address; those in the form are ignored. */
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

/** The page's form for a visitor who is not signed in. */
export const visitorSupportSchema = askSupportSchema.extend({
  name: lineSchema(tradeFieldLimits.name, 1, "validation.supportName"),
  email: emailSchema,
});

/** Kinds of work that wait for administrators, in the order of the summary above the list. */
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

/** What a report is about; `reportHappened` lists what may have happened. */
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

/** The subject of a report, from the query of the form's address. */
export const reportSubjectSchema = z.object(reportSubjectFields);
export type ReportSubject = z.output<typeof reportSubjectSchema>;

/**
 * Body of POST /api/reports. Members report a person or a message of one of their rooms; anyone may report a code. A visitor may leave an
 * email address.
 */
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

/** What an administrator found about a report, and what they did. */
export const resolveReportSchema = z.object(
  { note: proseSchema(tradeFieldLimits.reason, 1, "validation.reason") },
  "validation.object",
);

const reportPageSizes = { most: 100, page: 25 };

/** Query of the administrators' report list in the API. */
export const reportQuerySchema = z.object({
  show: z.enum(["open", "resolved"], "validation.invalid").default("open"),
  person: coercedIdSchema.optional(),
  report: coercedIdSchema.optional(),
  before: coercedIdSchema.optional(),
  limit: coercedIdSchema.max(reportPageSizes.most, "validation.id").default(reportPageSizes.page),
});

/** The same query in the page's address, where an invalid value counts as absent. */
export const reportFilterSchema = z.object({
  show: z.enum(["open", "resolved"]).catch("open"),
  person: coercedIdSchema.optional().catch(undefined),
  report: coercedIdSchema.optional().catch(undefined),
  before: coercedIdSchema.optional().catch(undefined),
  limit: coercedIdSchema.max(reportPageSizes.most).catch(reportPageSizes.page),
});
export type ReportFilter = z.output<typeof reportFilterSchema>;

/** A page of a list: the rows before the id last seen, at most `limit`. */
export const pageQuerySchema = z.object({
  before: z.coerce.number("validation.id").int("validation.id").positive("validation.id").optional(),
  limit: z.coerce
    .number("validation.id")
    .int("validation.id")
    .min(1, "validation.id")
    .max(500, "validation.id")
    .default(100),
});

/** Filters by the state of a trade's money, and the sort orders, of the administrators' transaction list. */
export const moneyFilters = ["waiting", "held", "disputed", "released", "returned", "none"] as const;
export type MoneyFilter = (typeof moneyFilters)[number];
export const transactionSorts = ["newest", "oldest", "largest", "smallest"] as const;
export type TransactionSort = (typeof transactionSorts)[number];

const daySchema = z.string("validation.day").refine(isDay, "validation.day");

/**
 * Query of the administrators' transaction list: one status or a name for several; text of the code, the description or a party's username;
 * the state of the money; and the first and last day, in Mongolian time.
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
