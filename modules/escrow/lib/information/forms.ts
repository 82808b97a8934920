import { z } from "zod";
import { rangeMessage } from "#format";
import {
  emailSchema,
  lineSchema,
  optionalSchema,
  phoneNumber,
  proseSchema,
  tradeFieldLimits,
} from "../core/form-fields.ts";

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

const bankName = lineSchema(tradeFieldLimits.name, 2, "validation.bankName");
const accountName = lineSchema(tradeFieldLimits.name, 2, "validation.accountName");
const accountNumber = lineSchema(tradeFieldLimits.accountNumber, 4, "validation.accountNumber")
  .transform((value) => value.replace(/[\s-]/g, ""))
  .refine((value) => /^\d*$/.test(value), { message: "validation.accountDigits", abort: true })
  .refine((value) => value.length >= 4, "validation.accountNumber")
  .refine((value) => value.length <= 20, "validation.accountLong");

const ibanNumber = optionalSchema(
  lineSchema(40)
    .transform((value) => value.replace(/[\s-]/g, "").toUpperCase())
    .refine(isIban, "validation.iban"),
);

/**
 * True for a Mongolian IBAN: `MN`, 2 check digits, 4 digits of the bank and 12 of the account, remainder 1 modulo 97 (ISO 13616). The
 * value must have no spaces and only capital letters.
 */
export function isIban(value: string): boolean {
  if (!/^MN\d{18}$/.test(value)) return false;
  // The first four characters move to the end, and letters count from A = 10: M = 22, N = 23.
  const digits = `${value.slice(4)}2223${value.slice(2, 4)}`;
  return [...digits].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0) === 1;
}

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

const latestVersion = 1_000;
const versionIssue = rangeMessage(0, latestVersion);

/** Body of POST …/info-exchange/confirm: the version of the other party's information that was read; if omitted, the current version. */
export const confirmInfoSchema = z.object(
  {
    version: z
      .number(versionIssue)
      .int(versionIssue)
      .min(0, versionIssue)
      .max(latestVersion, versionIssue)
      .optional(),
  },
  "validation.object",
);

/** The account for a refund: QR payments are refunded by bank transfer, so the buyer is asked for it. */
export const refundDestinationSchema = z.object(
  { accountName, bankName, accountNumber, ibanNumber },
  "validation.object",
);

export type BankInfoInput = z.infer<typeof saveBankInfoSchema>;
export type RefundDestinationInput = z.infer<typeof refundDestinationSchema>;
