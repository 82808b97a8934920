import { z } from "zod";
import type { JsonView } from "#calls";
import { goodsKinds } from "../../../forms.ts";
import {
  bankLinkSchema,
  caseViewSchema,
  clockSchema,
  infoExchangeSchema,
  partySchema,
  stepViewSchema,
  tradeProgressSchema,
  vaultViewSchema,
} from "../../core/responses.ts";
import { feePayers, tradeStatuses } from "../../machine/trade-types.ts";
import type { AllowedActions } from "./allowed-actions.ts";
import type { Due } from "./due-date.ts";
import type { HistoryView } from "./history.ts";
import type { InvoiceView, PersonView, TradeView } from "./trade-view.ts";
import type { TransactionView } from "./transaction-view.ts";

const dateTimeSchema = z.iso.datetime();

export const transactionViewSchema = z
  .object({
    id: z.int(),
    transactionCode: z.string(),
    chatRoomId: z.int(),
    buyerId: z.int(),
    sellerId: z.int(),
    amount: z.int(),
    serviceFee: z.int(),
    feePayer: z.enum(feePayers),
    grossAmount: z.int().describe("What the buyer is charged."),
    netAmount: z.int().describe("What the seller gets: gross less the fee."),
    status: z.enum(tradeStatuses),
    paymentMethod: z.literal("qpay"),
    goods: z.enum(goodsKinds).describe("What kind of goods it is about, as the payer reads it at the bank."),
    description: z.string().nullable(),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema,
    invoiceId: z.string().nullable(),
    qrImageUrl: z.string().nullable().describe("Null once there is nothing more to pay."),
    buyerConfirmedComplete: z.boolean(),
    sellerConfirmedComplete: z.boolean(),
    buyerConfirmedCancel: z.boolean(),
    sellerConfirmedCancel: z.boolean(),
    handedOverAt: dateTimeSchema.nullable(),
    handOverNote: z.string().nullable(),
    receivedOtherwiseAt: dateTimeSchema
      .nullable()
      .describe("When the buyer confirmed although no hand-over was recorded: received another way."),
    endReason: z.enum(["withdrawn", "expired", "agreed", "admin", "ruling", "paid_out", "closed"]).nullable(),
    endedAt: dateTimeSchema.nullable(),
  })
  .meta({ id: "TransactionView" }) satisfies z.ZodType<JsonView<TransactionView>>;

const personViewSchema = z
  .object({ id: z.int(), username: z.string(), displayName: z.string(), avatarInitials: z.string() })
  .meta({ id: "PersonView" }) satisfies z.ZodType<JsonView<PersonView>>;

export const invoiceViewSchema = z
  .object({
    invoiceId: z.string(),
    amount: z.int(),
    qrImageUrl: z.string().nullable(),
    shortUrl: z.string().nullable(),
    bankLinks: z.array(bankLinkSchema),
    expiresAt: dateTimeSchema,
    expired: z.boolean(),
  })
  .meta({ id: "InvoiceView" }) satisfies z.ZodType<JsonView<InvoiceView>>;

const dueSchema = z
  .object({
    payoutAmount: z.int().nullable().describe("To the seller; null while nothing is due."),
    refund: z
      .object({ amount: z.int(), sent: z.boolean(), accountGiven: z.boolean() })
      .nullable()
      .describe("Back to the buyer, what came in beyond the price included; null while nothing goes back."),
  })
  .meta({ id: "Due" }) satisfies z.ZodType<JsonView<Due>>;

const turnSchema = z
  .enum([
    "none",
    "admin",
    "buyer_pay",
    "seller_hand_over",
    "buyer_confirm",
    "seller_confirm",
    "seller_destination",
    "buyer_answer_cancel",
    "seller_answer_cancel",
    "buyer_refund_account",
    "buyer_explain",
    "seller_explain",
  ])
  .meta({ id: "Turn" });

const allowedActionsSchema = z
  .object({
    amend: z.boolean(),
    withdraw: z.boolean(),
    invoice: z.boolean(),
    markPaid: z.boolean(),
    verify: z.boolean(),
    handOver: z.boolean(),
    confirm: z.boolean(),
    requestCancellation: z.boolean(),
    agreeCancellation: z.boolean(),
    withdrawCancellation: z.boolean(),
    openDispute: z.boolean(),
    withdrawDispute: z.boolean(),
    bankInfo: z.boolean(),
    shareInfo: z.boolean(),
    confirmInfo: z.boolean(),
    refundDestination: z.boolean(),
    seal: z.boolean(),
    openVault: z.boolean(),
    checkVault: z.boolean(),
  })
  .meta({ id: "Allowed" }) satisfies z.ZodType<JsonView<AllowedActions>>;

export const historyViewSchema = transactionViewSchema
  .extend({ role: partySchema, standing: tradeProgressSchema })
  .meta({ id: "HistoryView" }) satisfies z.ZodType<JsonView<HistoryView>>;

export const tradeViewSchema = transactionViewSchema
  .extend({
    role: partySchema,
    buyer: personViewSchema,
    seller: personViewSchema,
    paidAmount: z.int().describe("Received for the trade so far, and what is still to be paid."),
    remainingAmount: z.int(),
    heldAmount: z
      .int()
      .describe(
        "What Midman holds for the trade right now, and what of it would go back to the buyer if both agreed to cancel.",
      ),
    refundAmount: z.int(),
    confirmations: z
      .object({ payment: z.string().nullable(), buyer: z.string().nullable(), seller: z.string().nullable() })
      .describe("When each side confirmed completion, null until it has."),
    due: dueSchema,
    turn: turnSchema,
    standing: tradeProgressSchema,
    can: allowedActionsSchema,
    clocks: z.array(clockSchema),
    serverTime: dateTimeSchema,
    invoice: invoiceViewSchema.nullable(),
    heldForChecking: z.boolean().describe("Midman is checking the payment: nobody is to pay again."),
    tradeChecked: z
      .boolean()
      .describe(
        "With `heldForChecking`: it is the transaction as a whole that Midman is checking, so nothing is to be paid or handed over.",
      ),
    steps: z.array(stepViewSchema),
    infoExchange: infoExchangeSchema,
    vault: vaultViewSchema,
    dispute: caseViewSchema
      .nullable()
      .describe("The latest dispute, with all that both sides and the mediator said in it."),
    onHold: z
      .boolean()
      .describe("The payment is being checked: nothing ends and nothing is paid again until that is over."),
    hidden: z.boolean().describe("Taken out of every list by an administrator."),
  })
  .meta({ id: "TradeView" }) satisfies z.ZodType<JsonView<TradeView>>;

/** The call succeeded; `message` is a text for the user. */
export const successReplySchema = z.object({ success: z.boolean(), message: z.string() });
export const tradeReplySchema = successReplySchema.extend({ transaction: transactionViewSchema });
/** `infoExchange` is left out if the reader lost access to the trade in the meantime. */
export const exchangeReplySchema = successReplySchema.extend({ infoExchange: infoExchangeSchema.optional() });
export const vaultReplySchema = successReplySchema.extend({ vault: vaultViewSchema.optional() });
