import { z } from "zod";

/** What the provider answers, as tolerant as its replies demand: strings or numbers, fields missing, names in two ways. */

/** Digits with leading zeros or a UUID: text always. A JSON number has already lost its zeros, so none is added. */
const identifier = z.union([z.string().trim(), z.number().int().nonnegative().transform(String)]).pipe(
  z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w.:-]+$/),
);

const count = z.union([
  z.number().int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const word = z.string().trim().max(100).nullish().catch(null);

export const createdInvoice = z.object({
  invoice_id: identifier,
  qr_text: z.string().min(1).max(2_000),
  qPay_shortUrl: z.string().max(500).nullish().catch(null),
  urls: z.array(z.unknown()).nullish().catch(null),
});

/** The least a creation can tell us: that something now exists there. */
export const createdSomething = z.object({ invoice_id: identifier });

export const bankLink = z.object({
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().max(200).nullish().catch(null),
  link: z.string().min(1).max(4_000),
});

export const invoiceState = z.object({
  invoice_status: z.string(),
  sender_invoice_no: z.union([z.string(), z.number().transform(String)]),
});

export const paymentPage = z.object({
  count: count.nullish(),
  paid_amount: z.unknown().optional(),
  rows: z.array(z.unknown()),
});

export const paymentRow = z.object({
  payment_id: identifier,
  payment_status: z.string().trim().min(1).max(40).toUpperCase(),
  payment_amount: z.unknown().optional(),
  payment_currency: z.string().trim().toUpperCase().nullish().catch(null),
  payment_date: z.string().nullish().catch(null),
  payment_wallet: word,
  payment_type: word,
  transaction_type: word,
  object_type: word,
  object_id: z
    .union([identifier, z.literal("")])
    .nullish()
    .catch(null),
  p2p_transactions: z
    .array(z.object({ transaction_bank_code: z.union([z.string(), z.number().transform(String)]).nullish() }))
    .nullish()
    .catch(null),
});

export type PaymentRow = z.infer<typeof paymentRow>;
