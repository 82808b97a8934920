import type { HoldReason } from "../holds/hold-reasons.ts";

/** The id of a trade; this module knows nothing else about a trade. */
export type Reference = number;

/**
 * `reserved`: Midman's row exists, and no answer of the provider is known; `open`: payable; `cancelled`: Midman no longer offers it, but it
 * may still be paid; `paid`: PAID rows cover its amount.
 */
export type InvoiceState = "reserved" | "open" | "cancelled" | "paid";

/** One button of the payer's bank list. `logo` is a path on Midman or empty: images are never fetched from another origin. */
export type BankLink = { name: string; description: string; logo: string; link: string };

/** One invoice as other modules see it. Amounts are whole ₮. */
export type Invoice = {
  id: string;
  reference: Reference;
  providerId: string | null;
  amount: number;
  state: InvoiceState;
  qrText: string | null;
  /** Path of the QR image on Midman; null until the provider has answered. */
  qrImageUrl: string | null;
  shortUrl: string | null;
  bankLinks: BankLink[];
  createdAt: Date;
  /** End of the ten-minute countdown shown beside the QR; not the end of the payment window. */
  expiresAt: Date;
};

/** One payment that the provider reports as PAID: whole ₮, currency MNT, its id as text (leading zeros are part of it). */
export type PaidRow = {
  providerPaymentId: string;
  invoiceId: string;
  amount: number;
  paidAt: Date;
  wallet?: string;
  /** P2P or CARD, as the provider reports it. */
  kind?: string;
  /** Code of the payer's bank, if the provider reports it; shown beside a refund. */
  payerBank?: string;
};

/** A row that may be money but that no rule can book (foreign currency, a fraction, a reversed payment): it puts the trade on hold. */
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

/** The provider's report about every invoice that a reference ever had. */
export type ProviderReport = {
  /** False while any check is unknown: no answer, an unreadable one, an invoice being created, or an answer over a minute old. */
  complete: boolean;
  rows: PaidRow[];
  /** The provider reports attempts, and every one of them failed. */
  failed: boolean;
  /** The number of invoices that were checked now; the others are reported from their last reply. */
  asked: number;
  /** Rows that are not booked; each puts the trade on hold. While there are any, money may have arrived that `rows` does not show. */
  problems: PaymentProblem[];
  /** The key (`paymentKey`) of every payment that the provider lists for the reference, whatever its status. */
  listed: string[];
  /** The time of the oldest reply used; null when an invoice was never answered, or when there is no invoice. */
  asOf: Date | null;
  /** When an invoice skipped by the one-minute rule may be checked again; null when none was skipped. */
  retryAt: Date | null;
};
