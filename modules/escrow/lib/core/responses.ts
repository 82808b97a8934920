import { z } from "zod";
import type { BankLink } from "#modules/payments";
import {
  deadlineKinds,
  disputableStatuses,
  disputeOutcomes,
  stepKeys,
  tradeParties,
} from "../machine/trade-types.ts";
import type { VaultValues } from "../vault/cipher.ts";

export const partySchema = z.enum(tradeParties).meta({ id: "Party" });

/** The state of a trade's money. `none`: nothing was received and nothing will be. The texts are `money.<state>`. */
export const moneyStateSchema = z
  .enum(["none", "released", "disputed", "waiting", "held", "returned"])
  .meta({ id: "MoneyState" });

/** The marks of a trade's progress line; the texts are `line.<mark>`. */
export const progressMarkSchema = z
  .enum(["agreed", "handedOver", "held", "paid", "confirmed", "paidOut"])
  .meta({ id: "Mark" });

/** The progress of a trade, as every list, page and email shows it. */
export const tradeProgressSchema = z
  .object({
    money: moneyStateSchema,
    done: z.array(progressMarkSchema).describe("The steps that are done."),
    ended: z
      .boolean()
      .describe(
        "Whether the transaction ended before its last step, because it was cancelled or closed without money.",
      ),
    payingOut: z
      .boolean()
      .describe(
        "Whether only the payout is left, even if steps were skipped because the parties did not confirm.",
      ),
    handOverSkipped: z
      .boolean()
      .describe(
        "Whether the buyer confirmed without a recorded handover. That step is skipped and never done.",
      ),
  })
  .meta({ id: "Standing" });

/** One of the five steps. */
export const stepViewSchema = z
  .object({
    step: z.enum(stepKeys),
    completedAt: z.iso.datetime().nullable().describe("Null until the step is reached."),
  })
  .meta({ id: "StepView" });

/** The seller's part. Fields that were not given are null. */
export const sellerInfoSchema = z
  .object({
    bankName: z.string().nullable(),
    accountName: z.string().nullable(),
    accountNumber: z.string().nullable(),
    iban: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    email: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: "SellerInfo" });

/** The buyer's part. Fields that were not given are null. */
export const buyerInfoSchema = z
  .object({
    name: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    email: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: "BuyerInfo" });

/** The information exchange of a trade as its reader may see it. A part is null until something was given. */
export const infoExchangeSchema = z
  .object({
    transactionId: z.int(),
    available: z.boolean().describe("Whether information can be shared and confirmed now."),
    sellerInfo: sellerInfoSchema.nullable(),
    buyerInfo: buyerInfoSchema.nullable(),
    sellerInfoErased: z
      .boolean()
      .describe(
        "Whether the seller had shared something that was erased since, for example with their account.",
      ),
    buyerInfoErased: z.boolean().describe("The same for the buyer's information."),
    sellerConfirmed: z
      .boolean()
      .describe("Whether the seller has confirmed the current version of what the buyer shared."),
    buyerConfirmed: z
      .boolean()
      .describe("Whether the buyer has confirmed the current version of what the seller shared."),
    sellerInfoVersion: z
      .int()
      .describe("Version of what the seller shared; 0 if nothing. The buyer confirms one version."),
    buyerInfoVersion: z.int().describe("Version of what the buyer shared; 0 if nothing."),
    sellerMayCorrect: z
      .boolean()
      .describe("Whether the seller can still correct the form once. They can't once a payout is approved."),
    buyerMayCorrect: z.boolean().describe("Whether the buyer can still correct the form once."),
  })
  .meta({ id: "InfoExchange" });

/** A deadline as pages show it. */
export const clockSchema = z
  .object({
    kind: z.enum(deadlineKinds),
    dueAt: z.iso.datetime(),
    overdue: z.boolean(),
    paused: z.boolean(),
    extendedMinutes: z.int().describe("How long the deadline was extended because Midman was not running."),
  })
  .meta({ id: "Clock" });

const disputableSchema = z.enum(disputableStatuses).meta({ id: "Disputable" });

/** A statement in a dispute; one by `admin` is the mediator's. */
export const statementSchema = z
  .object({ by: z.enum([...tradeParties, "admin"]), body: z.string(), at: z.iso.datetime() })
  .meta({ id: "Statement" });

/** A dispute as both parties and the administrators see it: each party sees all that the other one states. */
export const caseViewSchema = z
  .object({
    openedBy: partySchema,
    openedFrom: disputableSchema,
    openedAt: z.iso.datetime(),
    outcome: z.enum(disputeOutcomes).nullable(),
    refundAmount: z.int().nullable().describe("The buyer's share of a split, in ₮."),
    endedAt: z.iso.datetime().nullable(),
    mediator: z
      .object({ id: z.int(), displayName: z.string(), since: z.iso.datetime() })
      .nullable()
      .describe(
        "The administrator handling the case. Null if nobody is, or if they are no longer an administrator.",
      ),
    statements: z.array(statementSchema),
  })
  .meta({ id: "CaseView" });

/** The handover vault as both parties and administrators see it: times, never any of its contents. */
export const vaultViewSchema = z
  .object({
    state: z
      .enum(["none", "sealed", "opened", "destroyed"])
      .describe("`destroyed`: the transaction has ended and the contents were deleted."),
    revision: z
      .string()
      .describe(
        "The state and the version of the contents, as a cancellation or a ruling names them in `vaultShown`.",
      ),
    sealedAt: z.iso.datetime().nullable().describe("When the current contents were added to the vault."),
    openedAt: z.iso.datetime().nullable(),
    openedCount: z.int(),
    checked: z.object({ password: z.boolean(), secondFactor: z.boolean(), recovery: z.boolean() }),
    checkBy: z.iso
      .datetime()
      .nullable()
      .describe(
        "When the buyer should have ticked all three items. Null before the vault is opened, once all are ticked, and after the transaction ends.",
      ),
    overdue: z.boolean(),
    destroyedAt: z.iso.datetime().nullable(),
    earlier: z
      .array(z.object({ sealedAt: z.iso.datetime(), openedAt: z.iso.datetime().nullable() }))
      .describe("Earlier contents that were replaced."),
  })
  .meta({ id: "VaultView" });

export const vaultValuesSchema = z
  .object({
    email: z.string().optional(),
    password: z.string().optional(),
    login: z.string().optional(),
    emailPassword: z.string().optional(),
    recoveryNotes: z.string().optional().describe("Recovery codes, and how to transfer two-step sign-in."),
    notes: z.string().optional(),
  })
  .meta({ id: "VaultValues" }) satisfies z.ZodType<VaultValues>;

export const bankLinkSchema = z
  .object({ name: z.string(), description: z.string(), logo: z.string(), link: z.string() })
  .meta({ id: "BankLink" }) satisfies z.ZodType<BankLink>;
