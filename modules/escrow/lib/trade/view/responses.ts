import { z } from "zod";
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
import { endReasons, feePayers, tradeStatuses } from "../../machine/trade-types.ts";

/** A trade as every list and page shows it. Amounts are whole tugrik. */
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
    grossAmount: z.int().describe("What the buyer pays."),
    netAmount: z.int().describe("What the seller gets: the gross amount less the fee."),
    status: z.enum(tradeStatuses),
    paymentMethod: z.literal("qpay"),
    goods: z.enum(goodsKinds).describe("The kind of item, as the payer sees it at the bank."),
    description: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    invoiceId: z.string().nullable(),
    qrImageUrl: z.string().nullable().describe("Null once nothing is left to pay."),
    buyerConfirmedComplete: z.boolean(),
    sellerConfirmedComplete: z.boolean(),
    buyerConfirmedCancel: z.boolean(),
    sellerConfirmedCancel: z.boolean(),
    handedOverAt: z.iso.datetime().nullable(),
    handOverNote: z.string().nullable(),
    receivedOtherwiseAt: z.iso
      .datetime()
      .nullable()
      .describe("When the buyer confirmed without a recorded handover: they received the item another way."),
    endReason: z.enum(endReasons).nullable(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "TransactionView" });

/** A party as the other one may see them: without any contact details. */
export const personViewSchema = z
  .object({ id: z.int(), username: z.string(), displayName: z.string(), avatarInitials: z.string() })
  .meta({ id: "PersonView" });

/** What the payer sees: the QR code, the bank apps' links, and the time until which they are valid. */
export const invoiceViewSchema = z
  .object({
    invoiceId: z.string(),
    amount: z.int(),
    qrImageUrl: z.string().nullable(),
    shortUrl: z.string().nullable(),
    bankLinks: z.array(bankLinkSchema),
    expiresAt: z.iso.datetime(),
    expired: z.boolean(),
  })
  .meta({ id: "InvoiceView" });

/** What is due from a trade's money, in tugrik: amounts on their way and those that have left. */
export const dueSchema = z
  .object({
    payoutAmount: z.int().nullable().describe("The seller's payout. Null while nothing is due."),
    payoutSent: z.boolean().describe("Whether all of that payout has been sent."),
    refund: z
      .object({
        amount: z
          .int()
          .describe("What is still to be refunded. Once all of it has been sent, the whole sum."),
        sent: z.boolean(),
        sentAt: z.iso.datetime().nullable().describe("When all of it had been sent. Null until then."),
        accountGiven: z.boolean(),
      })
      .nullable()
      .describe(
        "The buyer's refund, including what was paid above the price. Null while nothing is refunded.",
      ),
  })
  .meta({ id: "Due" });

/** The account of the buyer's refund, as the buyer sees it. */
export const refundAccountSchema = z
  .object({
    bankName: z.string(),
    accountName: z.string().nullable(),
    accountNumber: z.string(),
    iban: z.string().nullable(),
    byAdministrator: z
      .boolean()
      .describe(
        "Whether an administrator added it. If so, only the bank and the last four digits are shown.",
      ),
  })
  .meta({ id: "RefundAccount" });

/** Whose turn it is, and for what; the texts are `trade.turn.<turn>`. */
export const turnSchema = z
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

/** What a party may do now. The pages show only these actions; the verbs check again in any case. */
export const allowedActionsSchema = z
  .object({
    amend: z.boolean(),
    amendGoods: z.boolean().describe("Whether the item can still be changed too: until the first QR code."),
    withdraw: z.boolean(),
    invoice: z.boolean(),
    markPaid: z.boolean(),
    verify: z.boolean(),
    handOver: z.boolean(),
    confirm: z.boolean(),
    requestCancellation: z.boolean(),
    agreeCancellation: z.boolean(),
    declineCancellation: z.boolean(),
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
  .meta({ id: "Allowed" });

export const historyViewSchema = transactionViewSchema
  .extend({ role: partySchema, standing: tradeProgressSchema })
  .meta({ id: "HistoryView" });

/** A trade for one of its parties: everything about it, and what that party may do now. */
export const tradeViewSchema = transactionViewSchema
  .extend({
    role: partySchema,
    buyer: personViewSchema,
    seller: personViewSchema,
    unavailable: z
      .array(partySchema)
      .describe("The parties who cannot answer for now, as the room's notices say without a reason."),
    paidAmount: z.int().describe("The amount received for the transaction so far."),
    remainingAmount: z.int().describe("The amount left to pay."),
    heldAmount: z.int().describe("The amount Midman holds for the transaction now."),
    refundAmount: z
      .int()
      .describe("The part of it that Midman refunds to the buyer if both parties agree to cancel."),
    confirmations: z
      .object({ payment: z.string().nullable(), buyer: z.string().nullable(), seller: z.string().nullable() })
      .describe("When the payment was confirmed, and when each party confirmed completion. Null until then."),
    cancellationRequests: z
      .object({ buyer: z.iso.datetime().nullable(), seller: z.iso.datetime().nullable() })
      .describe("When each party asked to cancel. Null if it has no open request."),
    due: dueSchema,
    refundAccount: refundAccountSchema
      .nullable()
      .describe("The account for the refund, for the buyer only. Null until one was added."),
    turn: turnSchema,
    standing: tradeProgressSchema,
    can: allowedActionsSchema,
    clocks: z.array(clockSchema),
    serverTime: z.iso.datetime(),
    invoice: invoiceViewSchema.nullable(),
    paymentCheckedAt: z.iso
      .datetime()
      .nullable()
      .describe(
        "When the payment provider was last asked, while the payment is not confirmed. Null before the first time.",
      ),
    heldForChecking: z
      .boolean()
      .describe("Whether Midman is checking the payment. If so, nobody must pay again."),
    tradeChecked: z
      .boolean()
      .describe(
        "Whether Midman is checking the whole transaction. If so, nobody must pay or hand anything over, and `heldForChecking` is true too.",
      ),
    steps: z.array(stepViewSchema),
    infoExchange: infoExchangeSchema,
    vault: vaultViewSchema,
    dispute: caseViewSchema
      .nullable()
      .describe("The latest dispute, with everything that both parties and the mediator wrote in it."),
    onHold: z
      .boolean()
      .describe(
        "Whether the transaction is on hold, also if only the payment provider's answer is missing. Until that is over, it can't end, not even if both parties agree to cancel, and nobody must pay again.",
      ),
    hidden: z.boolean().describe("Whether an administrator hid the transaction from all lists."),
  })
  .meta({ id: "TradeView" });

/** The call succeeded; `message` is a text for the user. */
export const successReplySchema = z.object({ success: z.boolean(), message: z.string() });
export const tradeReplySchema = successReplySchema.extend({ transaction: transactionViewSchema });
/** `infoExchange` is left out if the reader lost access to the trade in the meantime. */
export const exchangeReplySchema = successReplySchema.extend({ infoExchange: infoExchangeSchema.optional() });
export const vaultReplySchema = successReplySchema.extend({ vault: vaultViewSchema.optional() });
