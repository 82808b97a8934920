import { z } from "zod";

/**
 * The provider's replies. The schemas are tolerant because the replies vary: strings or numbers, missing fields, two names for one field.
 */

/** Digits with leading zeros, or a UUID: always text. A JSON number has already lost its leading zeros, so none are added. */
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

/** The minimum of a creation's reply: the id of an invoice that now exists at the provider. */
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
