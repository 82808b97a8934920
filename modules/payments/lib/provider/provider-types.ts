import type { HoldReason } from "../holds/hold-reasons.ts";

/** What a trade is called here: its id, and nothing else about it. */
export type Reference = number;

/**
 * `reserved`: our row exists, the provider has not (knowably) answered; `open`: payable; `cancelled`: we no longer offer it,
 * yet it may still be paid; `paid`: PAID rows cover its amount.
 */
export type InvoiceState = "reserved" | "open" | "cancelled" | "paid";

/** One button of the payer's bank list. `logo` is ours or empty: pictures are never fetched from another origin. */
export type BankLink = { name: string; description: string; logo: string; link: string };

/** One invoice as the rest of the house sees it. Amounts are whole tugrik. */
export type Invoice = {
  id: string;
  reference: Reference;
  providerId: string | null;
  amount: number;
  state: InvoiceState;
  qrText: string | null;
  /** Where our own door serves the picture; null until the provider has answered. */
  qrImageUrl: string | null;
  shortUrl: string | null;
  bankLinks: BankLink[];
  createdAt: Date;
  /** End of the ten-minute countdown shown beside the QR; not the end of the payment window. */
  expiresAt: Date;
};

/** One payment the provider reports as PAID: whole tugrik, MNT, its id as text (leading zeros are part of it). */
export type PaidRow = {
  providerPaymentId: string;
  invoiceId: string;
  amount: number;
  paidAt: Date;
  wallet?: string;
  /** P2P or CARD, as the provider says. */
  kind?: string;
  /** Code of the bank the money came from, where the provider says it; shown beside a refund. */
  payerBank?: string;
};

/** A row that may be money but cannot be booked by rule (foreign currency, fractions, a reversed payment): it holds the trade. */
export type PaymentProblem = {
  code: Extract<
    HoldReason,
    | "WRONG_CURRENCY"
    | "FRACTIONAL_AMOUNT"
    | "PAYMENT_REVERSED"
    | "ODD_ROW"
    | "UNKNOWN_STATUS"
    | "FOREIGN_INVOICE"
    | "IMPLAUSIBLE_AMOUNT"
    | "SUM_CONTRADICTS"
  >;
  invoiceId: string;
  providerPaymentId: string;
  /** The row as the provider sent it. */
  row: unknown;
};

/** What the provider says about every invoice a reference ever had. */
export type ProviderReport = {
  /** False while any check is unknown: no answer, an unreadable one, an invoice being created, or an answer over a minute old. */
  complete: boolean;
  rows: PaidRow[];
  /** The provider reports attempts, and every one of them failed. */
  failed: boolean;
  /** How many invoices were asked about now (the others answer from their last reply). */
  asked: number;
  /** Not booked and not forgotten: each is a hold. While there are any, money may be there that `rows` does not show. */
  problems: PaymentProblem[];
  /** The key (`paymentKey`) of every payment that the provider lists for the reference, whatever its status. */
  listed: string[];
  /** The time of the oldest answer among those used; null when an invoice was never answered, or there is none. */
  asOf: Date | null;
  /** When an invoice skipped by the one-minute rule may be asked again; null when none was skipped. */
  retryAt: Date | null;
};
