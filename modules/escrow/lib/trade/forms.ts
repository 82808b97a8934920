import { z } from "zod";
import {
  amountSchema,
  idSchema,
  lineSchema,
  optionalSchema,
  proseSchema,
  shownTimeSchema,
  tradeFieldLimits,
  vaultShownSchema,
} from "../core/form-fields.ts";

/** The kind of goods of a trade. The payer reads it at the bank, so it is a fixed list and never a member's own text. */
export const goodsKinds = ["account", "licence", "key", "item", "other"] as const;
export type Goods = (typeof goodsKinds)[number];
const goodsSchema = z.enum(goodsKinds, "validation.goods");

const feePayer = z.enum(["buyer", "seller", "split"], "validation.feePayer");

/** Body of POST /api/transactions. `createTrade` checks `serviceFee` against the current fee policy and `sellerId` against the room. */
export const createTradeSchema = z.object(
  {
    chatRoomId: idSchema,
    amount: amountSchema,
    serviceFee: z
      .number("validation.serviceFee")
      .int("validation.serviceFee")
      .min(0, "validation.serviceFee")
      .optional(),
    feePayer: feePayer.default("buyer"),
    goods: goodsSchema.optional(),
    description: optionalSchema(lineSchema(tradeFieldLimits.description)),
    sellerId: idSchema.optional(),
  },
  "validation.object",
);

/**
 * The page's form. It requires `goods`: the payer reads the kind at the bank, and a default of "other item" would make an honest trade look
 * like a payment for something else. API clients may omit it.
 */
export const createTradeFormSchema = createTradeSchema.extend({ goods: goodsSchema });

/** The seller's correction of a payment request that is not paid yet. Omitted fields keep their values. */
export const amendTradeSchema = z
  .object(
    {
      amount: amountSchema.optional(),
      feePayer: feePayer.optional(),
      goods: goodsSchema.optional(),
      description: optionalSchema(lineSchema(tradeFieldLimits.description).nullable()),
    },
    "validation.object",
  )
  .refine((value) => Object.values(value).some((part) => part !== undefined), "validation.nothingToChange");

/** The seller's note on how and where the goods were handed over. */
export const handOverSchema = z.object(
  { note: optionalSchema(proseSchema(tradeFieldLimits.note)) },
  "validation.object",
);

/** What a party cancels: a request of the other party by its time, or none yet; and what it knew of the vault. */
export const cancelTradeSchema = z.object(
  {
    agreesTo: optionalSchema(z.iso.datetime("validation.invalid").nullable()).describe(
      "The time of the other party's request that you agree to, from `cancellationRequests`; null only asks. If that request is not open (any more), the call answers CANCELLATION_CHANGED. Without this field, the call asks, or agrees to the request that is open.",
    ),
    vaultShown: vaultShownSchema,
  },
  "validation.object",
);

/** Which request of the other party a party declines. */
export const declineCancellationSchema = z.object(
  {
    requestedAt: z.iso
      .datetime("validation.invalid")
      .describe(
        "The time of the other party's request that you decline, from `cancellationRequests`. If another request is open by now, the call answers CANCELLATION_CHANGED.",
      ),
  },
  "validation.object",
);

/** What a party confirms a trade with: the open dispute that they know of, which the buyer's confirmation ends. */
export const confirmTradeSchema = z.object(
  {
    endsDispute: shownTimeSchema.describe(
      "`openedAt` of the dispute that you end, from `dispute` of the transaction: the buyer's confirmation pays the seller. If another one is open, the call answers DISPUTE_CHANGED, and without this field DISPUTE_OPEN.",
    ),
  },
  "validation.object",
);

/** The page's form by which a party confirms the trade; it names the state of the vault, too. */
export const confirmTradeFormSchema = confirmTradeSchema.extend({ vaultShown: vaultShownSchema });

export type ConfirmInput = z.infer<typeof confirmTradeSchema>;

export type CancelInput = z.infer<typeof cancelTradeSchema>;
export type DeclineCancellationInput = z.infer<typeof declineCancellationSchema>;
export type CreateTradeInput = z.infer<typeof createTradeSchema>;
export type AmendInput = z.infer<typeof amendTradeSchema>;
