import { z } from "zod";
import {
  idSchema,
  proseSchema,
  shownTimeSchema,
  tickedSchema,
  tradeFieldLimits,
  typedSumSchema,
  vaultShownSchema,
  wholeAmountSchema,
} from "../core/form-fields.ts";

/** A statement in a dispute: what went wrong. The other party and the administrators read it. */
export const disputeStatementSchema = z.object(
  { reason: proseSchema(tradeFieldLimits.reason, 1, "validation.reason") },
  "validation.object",
);

/** Which dispute a party withdraws, by its time. */
export const withdrawDisputeSchema = z.object(
  {
    openedAt: shownTimeSchema.describe(
      "`openedAt` of the dispute that you withdraw, from `dispute` of the transaction. If another one is open, the call answers DISPUTE_CHANGED. So does a call without this field while a dispute is open.",
    ),
  },
  "validation.object",
);

export type WithdrawDisputeInput = z.infer<typeof withdrawDisputeSchema>;

const rulingFields = {
  ruling: z.enum(["release", "refund", "split"], "validation.ruling"),
  refundAmount: wholeAmountSchema("validation.rulingSum").optional(),
};
/** A split states the buyer's refund; another ruling has none. */
function checkRefundAmount(
  value: { ruling: string; refundAmount?: number | undefined },
  context: z.RefinementCtx,
) {
  const isSplit = value.ruling === "split";
  if (isSplit === (value.refundAmount !== undefined)) return;
  const message = isSplit ? "validation.rulingSum" : "validation.refundAmount";
  context.addIssue({ code: "custom", message, path: ["refundAmount"] });
}

/** A ruling whose amounts are previewed. A split states the buyer's refund; the seller gets the rest of gross − fee. */
export const previewRulingSchema = z.object(rulingFields, "validation.object").superRefine(checkRefundAmount);

/** The ruling itself: the reason, and the amount of the preview, typed by the administrator. */
export const rulingSchema = z
  .object(
    {
      ...rulingFields,
      reason: proseSchema(tradeFieldLimits.reason, 1, "validation.rulingReason"),
      sum: typedSumSchema,
      /** The administrator has read the warnings of the preview. Required if there are any (RULING_WARNED). */
      warningsConfirmed: tickedSchema,
      vaultShown: vaultShownSchema,
    },
    "validation.object",
  )
  .superRefine(checkRefundAmount);

/** Confirms a ruling that another administrator proposed: the proposal, and the amount that was shown, typed. */
export const confirmRulingSchema = z.object({ proposal: idSchema, sum: typedSumSchema }, "validation.object");

/** Withdraws a proposed ruling. */
export const withdrawRulingSchema = z.object({ proposal: idSchema }, "validation.object");

/** A mediator's message to both parties. */
export const mediatorMessageSchema = z.object(
  { words: proseSchema(tradeFieldLimits.reason, 1, "validation.mediation") },
  "validation.object",
);

export type RulingInput = z.infer<typeof rulingSchema>;
export type ConfirmRulingInput = z.infer<typeof confirmRulingSchema>;
export type RulingPreviewInput = z.infer<typeof previewRulingSchema>;
