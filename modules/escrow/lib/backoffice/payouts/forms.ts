import { z } from "zod";
import { bankReference, proseSchema, tradeFieldLimits } from "../../core/form-fields.ts";
import { refundDestinationSchema } from "../../information/forms.ts";

/** Marks one payout as sent on its own page. The administrator types the amount, to prove that they have read it. */
export const settlePayoutSchema = z.object(
  { bankReference, sum: z.number("validation.sum") },
  "validation.object",
);

/** Body of POST …/destination: an administrator enters the refund account, and the reason why they do so and why it is this one. */
export const nameRefundAccountSchema = refundDestinationSchema.extend({
  reason: proseSchema(tradeFieldLimits.reason, 1, "validation.accountProof"),
});

export type NameRefundAccountInput = z.infer<typeof nameRefundAccountSchema>;
