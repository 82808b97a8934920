import { z } from "zod";
import type { JsonView } from "#calls";
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
import type { AdminStats } from "../figures/stats.ts";
import type { DismissedProposal, ManualPaymentView, ProposalView } from "../manual-payments/proposals.ts";
import { payoutSchema } from "../payouts/responses.ts";
import type { ListedUser } from "../users/user-view.ts";
import type { Decisions } from "./decisions.ts";
import type { AdminPerson, AdminTradeView, ListedTrade } from "./transaction-view.ts";

const dateTimeSchema = z.iso.datetime();

export const adminStatsSchema = z
  .object({ totalUsers: z.int(), totalTransactions: z.int(), totalVolume: z.int() })
  .meta({ id: "AdminStats" }) satisfies z.ZodType<JsonView<AdminStats>>;

export const proposalViewSchema = z
  .object({
    id: z.int(),
    by: z.string(),
    own: z.boolean().describe("The reader's own, so that somebody else must confirm it."),
    obstacle: z.enum(["PROPOSER_NOT_ADMIN", "FOUR_EYES_RELATED"]).nullable(),
  })
  .meta({ id: "ProposalView" }) satisfies z.ZodType<JsonView<ProposalView>>;

export const dismissedProposalSchema = z
  .object({ id: z.int(), by: z.string(), asideBy: z.string(), at: dateTimeSchema, reason: z.string() })
  .meta({ id: "LaidAside" }) satisfies z.ZodType<JsonView<DismissedProposal>>;

const manualPaymentViewSchema = z
  .object({ open: proposalViewSchema.nullable(), laidAside: z.array(dismissedProposalSchema) })
  .meta({ id: "ByHandView" }) satisfies z.ZodType<JsonView<ManualPaymentView>>;

const sharesSchema = z
  .object({ toBuyer: z.int(), toSeller: z.int(), fee: z.int() })
  .meta({ id: "Shares" }) satisfies z.ZodType<JsonView<Shares>>;

const decisionsSchema = z
  .object({
    complete: sharesSchema
      .nullable()
      .describe(
        "Closing it where nothing is held, else letting the seller have what is held (`adminPaySeller`).",
      ),
    cancel: sharesSchema.nullable().describe("Calling it off."),
    cancelledBy: z
      .string()
      .nullable()
      .describe("The mediator who ruled it and alone calls it off, where that is not the reader."),
  })
  .meta({ id: "Decisions" }) satisfies z.ZodType<JsonView<Decisions>>;

export const rulingPreviewSchema = sharesSchema
  .extend({
    sum: z.int(),
    warnings: z
      .array(z.enum(["statements_open", "not_taken"]))
      .describe(
        "What has to be confirmed first: a side may still explain itself, nobody has taken the case.",
      ),
    secondNeeded: z
      .boolean()
      .describe("So much is proposed, and counts once another administrator confirms it."),
  })
  .meta({ id: "RulingShown" }) satisfies z.ZodType<JsonView<RulingPreview>>;

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
  .meta({ id: "AdminPerson" }) satisfies z.ZodType<JsonView<AdminPerson>>;

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
      .describe("Where our own door serves the picture; null until the provider has answered."),
    shortUrl: z.string().nullable(),
    bankLinks: z.array(bankLinkSchema),
    createdAt: dateTimeSchema,
    expiresAt: dateTimeSchema.describe(
      "End of the ten-minute countdown shown beside the QR; not the end of the payment window.",
    ),
  })
  .meta({ id: "Invoice" }) satisfies z.ZodType<JsonView<Invoice>>;

export const listedTradeSchema = transactionViewSchema
  .extend({ standing: tradeProgressSchema })
  .meta({ id: "ListedTrade" }) satisfies z.ZodType<JsonView<ListedTrade>>;

export const adminTradeViewSchema = z
  .object({
    transaction: listedTradeSchema,
    buyer: adminPersonSchema,
    seller: adminPersonSchema,
    steps: z.array(stepViewSchema),
    infoExchange: infoExchangeSchema,
    heldAmount: z.int().describe("Tugrik in the ledger: held now, and received in all."),
    receivedAmount: z.int(),
    payouts: z
      .array(payoutSchema.extend({ payerBanks: z.array(z.string()), destinationDigest: z.string() }))
      .describe(
        "`fourEyes`: approver and sender must differ; `payerBanks`: codes of the banks a refund's money came from; `destinationDigest`: by which who approves or settles says which destination they were shown.",
      ),
    invoices: z.array(invoiceSchema),
    clocks: z.array(clockSchema),
    disputes: z.array(caseViewSchema),
    holds: z
      .array(holdReasonSchema)
      .describe("Why no ending and no outgoing step takes effect; empty while the transaction may go on."),
    vault: vaultViewSchema.describe("When something was sealed and opened; no administrator ever reads it."),
    byHand: manualPaymentViewSchema.describe("Nothing where the reader is a party."),
    decisions: decisionsSchema,
    hiddenAt: dateTimeSchema.nullable(),
    erasedAt: dateTimeSchema.nullable(),
    ownTrade: z.boolean().describe("An administrator never acts on a trade of their own."),
    serverTime: dateTimeSchema,
  })
  .meta({ id: "AdminTradeView" }) satisfies z.ZodType<unknown, JsonView<AdminTradeView>>;

export const listedUserSchema = userViewSchema
  .extend({
    deletedAt: dateTimeSchema.nullable(),
    restriction: z
      .object({ kind: z.enum(restrictionKinds), until: dateTimeSchema.nullable().describe("Null for good.") })
      .nullable()
      .describe("What the person may not do now; null for most."),
    transactionCount: z.int(),
  })
  .meta({ id: "ListedUser" }) satisfies z.ZodType<JsonView<ListedUser>>;
