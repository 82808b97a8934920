import { z } from "zod";
import { idSchema } from "../core/form-fields.ts";

/** Body of POST /api/qpay/invoices and /api/qpay/create-payment. `fresh` asks for a new QR code in place of the one shown. */
export const issueInvoiceSchema = z.object(
  { transactionId: idSchema, fresh: z.boolean("validation.invalid").optional() },
  "validation.object",
);
