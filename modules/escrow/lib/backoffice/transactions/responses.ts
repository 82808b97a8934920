import { z } from "zod";
import { dateTimeSchema } from "#calls";
import { restrictionKinds } from "#forms/identity";
import { userViewSchema } from "#modules/identity";
import type { Invoice } from "#modules/payments";
import {
  bankLinkSchema,
  caseViewSchema,
  clockSchema,
  infoExchangeSchema,
  stepViewSchema,
  tradeProgressSchema,
  vaultViewSchema,
} from "../../core/responses.ts";
import type { RulingPreview } from "../../disputes/rule.ts";
import { holdReasonSchema } from "../../holds/responses.ts";
import type { Shares } from "../../machine/dispute.ts";
import { transactionViewSchema } from "../../trade/view/responses.ts";
import { payoutSchema } from "../payouts/responses.ts";

/** The dashboard's figures; the volume is the price of what buyers have really paid, in tugrik. */
export const adminStatsSchema = z
  .object({ totalUsers: z.int(), totalTransactions: z.int(), totalVolume: z.int() })
  .meta({ id: "AdminStats" });
export type AdminStats = z.output<typeof adminStatsSchema>;

/** A proposal as administrators see it, never with its figures: a second administrator enters those as they saw them at the bank. */
export const proposalViewSchema = z
  .object({
    id: z.int(),
    by: z.string(),
    own: z.boolean().describe("Whether you made the proposal. If so, another administrator must confirm it."),
    obstacle: z.enum(["PROPOSER_NOT_ADMIN", "FOUR_EYES_RELATED"]).nullable(),
  })
  .meta({ id: "ProposalView" });
export type ProposalView = z.output<typeof proposalViewSchema>;

/** A dismissed proposal, with who dismissed it (`asideBy`) and why. */
export const discardedProposalSchema = z
  .object({ id: z.int(), by: z.string(), asideBy: z.string(), at: z.iso.datetime(), reason: z.string() })
  .meta({ id: "LaidAside" });
export type DiscardedProposal = z.output<typeof discardedProposalSchema>;

/** The manual payments of a trade that are not booked: the proposal that waits, and the dismissed ones. */
const manualPaymentViewSchema = z
  .object({ open: proposalViewSchema.nullable(), laidAside: z.array(discardedProposalSchema) })
  .meta({ id: "ByHandView" });
export type ManualPaymentView = z.output<typeof manualPaymentViewSchema>;

const sharesSchema = z
  .object({ toBuyer: z.int(), toSeller: z.int(), fee: z.int() })
  .meta({ id: "Shares" }) satisfies z.ZodType<Shares>;

/** What an administrator may decide about a trade now, with the exact sums that would follow. */
const decisionsSchema = z
  .object({
    complete: sharesSchema
      .nullable()
      .describe("What closing the transaction pays out; if money is held, what paying the seller pays out."),
    cancel: sharesSchema.nullable().describe("What cancelling the transaction refunds."),
    cancelledBy: z
      .string()
      .nullable()
      .describe(
        "The mediator who decided the dispute. Only they can cancel the transaction. Null if that is you.",
      ),
  })
  .meta({ id: "Decisions" });
export type Decisions = z.output<typeof decisionsSchema>;

export const rulingPreviewSchema = sharesSchema
  .extend({
    sum: z.int(),
    warnings: z
      .array(z.enum(["statements_open", "not_taken"]))
      .describe(
        "What the mediator must confirm first: a party can still write a statement, or nobody has taken the dispute.",
      ),
    secondNeeded: z
      .boolean()
      .describe(
        "Whether the amount is above the limit. If so, the ruling takes effect once another administrator confirms it.",
      ),
  })
  .meta({ id: "RulingShown" }) satisfies z.ZodType<RulingPreview>;

/** A party of a trade, with what administrators need to know of them. */
const adminPersonSchema = z
  .object({
    id: z.int(),
    username: z.string(),
    displayName: z.string(),
    avatarInitials: z.string(),
    email: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    bankAccount: z.string().nullable(),
  })
  .meta({ id: "AdminPerson" });
export type AdminPerson = z.output<typeof adminPersonSchema>;

const invoiceStateSchema = z.enum(["cancelled", "paid", "reserved", "open"]).meta({ id: "InvoiceState" });

const invoiceSchema = z
  .object({
    id: z.string(),
    reference: z.int(),
    providerId: z.string().nullable(),
    amount: z.int(),
    state: invoiceStateSchema,
    qrText: z.string().nullable(),
    qrImageUrl: z
      .string()
      .nullable()
      .describe("The image's address on Midman; null until the provider replies."),
    shortUrl: z.string().nullable(),
    bankLinks: z.array(bankLinkSchema),
    createdAt: dateTimeSchema,
    expiresAt: dateTimeSchema.describe(
      "When the ten-minute countdown beside the QR code ends. This is not the payment deadline.",
    ),
  })
  .meta({ id: "Invoice" }) satisfies z.ZodType<Invoice>;

/** A trade in a list, with its progress. */
export const listedTradeSchema = transactionViewSchema
  .extend({ standing: tradeProgressSchema })
  .meta({ id: "ListedTrade" });
export type ListedTrade = z.output<typeof listedTradeSchema>;

/** A trade with all that decides about its money. */
export const adminTradeViewSchema = z
  .object({
    transaction: listedTradeSchema,
    buyer: adminPersonSchema,
    seller: adminPersonSchema,
    steps: z.array(stepViewSchema),
    infoExchange: infoExchangeSchema,
    heldAmount: z.int().describe("The amount held now, in tugrik. `receivedAmount` is the total received."),
    receivedAmount: z.int(),
    payouts: z
      .array(payoutSchema.extend({ payerBanks: z.array(z.string()), destinationDigest: z.string() }))
      .describe(
        "`fourEyes`: approver and sender must differ. `payerBanks`: codes of the banks the payment came from. `destinationDigest`: digest of the destination shown, required to approve or settle.",
      ),
    invoices: z.array(invoiceSchema),
    clocks: z.array(clockSchema),
    disputes: z.array(caseViewSchema),
    holds: z
      .array(holdReasonSchema)
      .describe(
        "Why the transaction is on hold. While it is, it can't end and no money can leave. Empty if it is not on hold.",
      ),
    vault: vaultViewSchema.describe(
      "When the vault was filled and opened. No administrator can read its contents.",
    ),
    byHand: manualPaymentViewSchema.describe("Empty if you are a party."),
    decisions: decisionsSchema,
    hiddenAt: z.iso.datetime().nullable(),
    erasedAt: z.iso.datetime().nullable(),
    ownTrade: z
      .boolean()
      .describe("Whether you are a party. Administrators can't act on their own transactions."),
    serverTime: z.iso.datetime(),
  })
  .meta({ id: "AdminTradeView" });
export type AdminTradeView = z.output<typeof adminTradeViewSchema>;

/** A person in the administrators' list, with the number of trades they are party to; hidden trades do not count. */
export const listedUserSchema = userViewSchema
  .extend({
    deletedAt: z.iso.datetime().nullable(),
    restriction: z
      .object({
        kind: z.enum(restrictionKinds),
        until: z.iso.datetime().nullable().describe("Null if the restriction is permanent."),
      })
      .nullable()
      .describe("The restriction in force; null if there is none."),
    transactionCount: z.int(),
  })
  .meta({ id: "ListedUser" });
export type ListedUser = z.output<typeof listedUserSchema>;
