import { z } from "zod";

/** What the provider answers, as tolerant as its replies demand: strings or numbers, fields missing, names in two ways. */

/** Digits with leading zeros or a UUID: text always. A JSON number has already lost its zeros, so none is added. */
const identifierSchema = z.union([z.string().trim(), z.number().int().nonnegative().transform(String)]).pipe(
  z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w.:-]+$/),
);

const countSchema = z.union([
  z.number().int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const wordSchema = z.string().trim().max(100).nullish().catch(null);

export const createdInvoiceSchema = z.object({
  invoice_id: identifierSchema,
  qr_text: z.string().min(1).max(2_000),
  qPay_shortUrl: z.string().max(500).nullish().catch(null),
  urls: z.array(z.unknown()).nullish().catch(null),
});

/** The least a creation can tell us: that something now exists there. */
export const createdIdSchema = z.object({ invoice_id: identifierSchema });

export const bankLinkSchema = z.object({
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().max(200).nullish().catch(null),
  link: z.string().min(1).max(4_000),
});

export const invoiceStateSchema = z.object({
  invoice_status: z.string(),
  sender_invoice_no: z.union([z.string(), z.number().transform(String)]),
});

export const paymentPageSchema = z.object({
  count: countSchema.nullish(),
  paid_amount: z.unknown().optional(),
  rows: z.array(z.unknown()),
});

export const paymentRowSchema = z.object({
  payment_id: identifierSchema,
  payment_status: z.string().trim().min(1).max(40).toUpperCase(),
  payment_amount: z.unknown().optional(),
  payment_currency: z.string().trim().toUpperCase().nullish().catch(null),
  payment_date: z.string().nullish().catch(null),
  payment_wallet: wordSchema,
  payment_type: wordSchema,
  transaction_type: wordSchema,
  object_type: wordSchema,
  object_id: z
    .union([identifierSchema, z.literal("")])
    .nullish()
    .catch(null),
  p2p_transactions: z
    .array(z.object({ transaction_bank_code: z.union([z.string(), z.number().transform(String)]).nullish() }))
    .nullish()
    .catch(null),
});

export type PaymentRow = z.infer<typeof paymentRowSchema>;
