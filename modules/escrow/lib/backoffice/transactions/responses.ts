import { z } from "zod";
import type { Sent } from "#calls";
import { restrictionKinds } from "#forms/identity";
import { userView } from "#modules/identity";
import type { Invoice } from "#modules/payments";
import {
  bankLink,
  caseView,
  clock,
  infoExchange,
  moneyStateView,
  stepView,
  vaultView,
} from "../../core/responses.ts";
import type { RulingShown } from "../../disputes/rule.ts";
import { holdReason } from "../../holds/responses.ts";
import type { Shares } from "../../machine/dispute.ts";
import { transactionView } from "../../trade/view/responses.ts";
import type { AdminStats } from "../figures/stats.ts";
import type { ByHandView, LaidAside, ProposalView } from "../manual-payments/proposals.ts";
import { payout } from "../payouts/responses.ts";
import type { ListedUser } from "../users/user-view.ts";
import type { Decisions } from "./decisions.ts";
import type { AdminPerson, AdminTradeView, ListedTrade } from "./transaction-view.ts";

const moment = z.iso.datetime();

export const adminStats = z
  .object({ totalUsers: z.int(), totalTransactions: z.int(), totalVolume: z.int() })
  .meta({ id: "AdminStats" }) satisfies z.ZodType<Sent<AdminStats>>;

export const proposalView = z
  .object({
    id: z.int(),
    by: z.string(),
    own: z.boolean().describe("The reader's own, so that somebody else must confirm it."),
    obstacle: z.enum(["PROPOSER_NOT_ADMIN", "FOUR_EYES_RELATED"]).nullable(),
  })
  .meta({ id: "ProposalView" }) satisfies z.ZodType<Sent<ProposalView>>;

export const laidAside = z
  .object({ id: z.int(), by: z.string(), asideBy: z.string(), at: moment, reason: z.string() })
  .meta({ id: "LaidAside" }) satisfies z.ZodType<Sent<LaidAside>>;

const byHandView = z
  .object({ open: proposalView.nullable(), laidAside: z.array(laidAside) })
  .meta({ id: "ByHandView" }) satisfies z.ZodType<Sent<ByHandView>>;

const shares = z
  .object({ toBuyer: z.int(), toSeller: z.int(), fee: z.int() })
  .meta({ id: "Shares" }) satisfies z.ZodType<Sent<Shares>>;

const decisions = z
  .object({
    complete: shares
      .nullable()
      .describe(
        "Closing it where nothing is held, else letting the seller have what is held (`adminPaySeller`).",
      ),
    cancel: shares.nullable().describe("Calling it off."),
    cancelledBy: z
      .string()
      .nullable()
      .describe("The mediator who ruled it and alone calls it off, where that is not the reader."),
  })
  .meta({ id: "Decisions" }) satisfies z.ZodType<Sent<Decisions>>;

export const rulingShown = shares
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
  .meta({ id: "RulingShown" }) satisfies z.ZodType<Sent<RulingShown>>;

const adminPerson = z
  .object({
    id: z.int(),
    username: z.string(),
    displayName: z.string(),
    avatarInitials: z.string(),
    email: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    bankAccount: z.string().nullable(),
  })
  .meta({ id: "AdminPerson" }) satisfies z.ZodType<Sent<AdminPerson>>;

const invoiceState = z.enum(["cancelled", "paid", "reserved", "open"]).meta({ id: "InvoiceState" });

const invoice = z
  .object({
    id: z.string(),
    reference: z.int(),
    providerId: z.string().nullable(),
    amount: z.int(),
    state: invoiceState,
    qrText: z.string().nullable(),
    qrImageUrl: z
      .string()
      .nullable()
      .describe("Where our own door serves the picture; null until the provider has answered."),
    shortUrl: z.string().nullable(),
    bankLinks: z.array(bankLink),
    createdAt: moment,
    expiresAt: moment.describe(
      "End of the ten-minute countdown shown beside the QR; not the end of the payment window.",
    ),
  })
  .meta({ id: "Invoice" }) satisfies z.ZodType<Sent<Invoice>>;

export const listedTrade = transactionView
  .extend({ standing: moneyStateView })
  .meta({ id: "ListedTrade" }) satisfies z.ZodType<Sent<ListedTrade>>;

export const adminTradeView = z
  .object({
    transaction: listedTrade,
    buyer: adminPerson,
    seller: adminPerson,
    steps: z.array(stepView),
    infoExchange: infoExchange,
    heldAmount: z.int().describe("Tugrik in the ledger: held now, and received in all."),
    receivedAmount: z.int(),
    payouts: z
      .array(payout.extend({ payerBanks: z.array(z.string()), destinationDigest: z.string() }))
      .describe(
        "`fourEyes`: approver and sender must differ; `payerBanks`: codes of the banks a refund's money came from; `destinationDigest`: by which who approves or settles says which destination they were shown.",
      ),
    invoices: z.array(invoice),
    clocks: z.array(clock),
    disputes: z.array(caseView),
    holds: z
      .array(holdReason)
      .describe("Why no ending and no outgoing step takes effect; empty while the transaction may go on."),
    vault: vaultView.describe("When something was sealed and opened; no administrator ever reads it."),
    byHand: byHandView.describe("Nothing where the reader is a party."),
    decisions: decisions,
    hiddenAt: moment.nullable(),
    erasedAt: moment.nullable(),
    ownTrade: z.boolean().describe("An administrator never acts on a trade of their own."),
    serverTime: moment,
  })
  .meta({ id: "AdminTradeView" }) satisfies z.ZodType<Sent<AdminTradeView>>;

export const listedUser = userView
  .extend({
    deletedAt: moment.nullable(),
    restriction: z
      .object({ kind: z.enum(restrictionKinds), until: moment.nullable().describe("Null for good.") })
      .nullable()
      .describe("What the person may not do now; null for most."),
    transactionCount: z.int(),
  })
  .meta({ id: "ListedUser" }) satisfies z.ZodType<Sent<ListedUser>>;
