import { z } from "zod";
import {
  amountSchema,
  bankReference,
  idSchema,
  proseSchema,
  tradeFieldLimits,
} from "../../core/form-fields.ts";

/** A manual payment, recorded after a system failure: the amount that arrived, and the bank's or provider's reference. */
export const manualPaymentSchema = z.object(
  { amount: amountSchema, reference: bankReference },
  "validation.object",
);

/** Dismisses a proposed manual payment: the proposal and the reason. */
export const dismissManualPaymentSchema = z.object(
  { proposal: idSchema, reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reasonMissing") },
  "validation.object",
);

export type ManualPaymentInput = z.infer<typeof manualPaymentSchema>;
export type DismissManualPaymentInput = z.infer<typeof dismissManualPaymentSchema>;
