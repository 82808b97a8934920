import { z } from "zod";
import type { JsonView } from "#calls";
import type { BankLink } from "#modules/payments";
import type { Clock } from "../deadlines/clock-view.ts";
import type { CaseView, Statement } from "../disputes/dispute-cases.ts";
import type { BuyerInfo, InfoExchange, SellerInfo } from "../information/view.ts";
import { deadlineKinds, stepKeys } from "../machine/trade-types.ts";
import type { StepView } from "../trade/view/step-views.ts";
import type { TradeProgress } from "../trade/view/trade-progress.ts";
import type { VaultValues } from "../vault/cipher.ts";
import type { VaultView } from "../vault/view.ts";

const dateTimeSchema = z.iso.datetime();

export const partySchema = z.enum(["buyer", "seller"]).meta({ id: "Party" });

const moneyStateSchema = z
  .enum(["none", "released", "disputed", "waiting", "held", "returned"])
  .meta({ id: "MoneyState" });

const markSchema = z
  .enum(["agreed", "handedOver", "held", "paid", "confirmed", "paidOut"])
  .meta({ id: "Mark" });

export const tradeProgressSchema = z
  .object({
    money: moneyStateSchema,
    done: z.array(markSchema).describe("The marks that are behind it."),
    ended: z.boolean().describe("Over before its last mark: cancelled, or closed without money."),
    payingOut: z
      .boolean()
      .describe(
        "The payout alone is missing, whatever marks were passed over because the sides did not confirm.",
      ),
    handOverSkipped: z
      .boolean()
      .describe(
        "The buyer confirmed although no hand-over is recorded: that mark is passed over, never done.",
      ),
  })
  .meta({ id: "Standing" }) satisfies z.ZodType<JsonView<TradeProgress>>;

export const stepViewSchema = z
  .object({ step: z.enum(stepKeys), completedAt: dateTimeSchema.nullable() })
  .meta({ id: "StepView" }) satisfies z.ZodType<JsonView<StepView>>;

const sellerInfoSchema = z
  .object({
    bankName: z.string().nullable(),
    accountName: z.string().nullable(),
    accountNumber: z.string().nullable(),
    iban: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    email: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: "SellerInfo" }) satisfies z.ZodType<JsonView<SellerInfo>>;

const buyerInfoSchema = z
  .object({
    name: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    email: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: "BuyerInfo" }) satisfies z.ZodType<JsonView<BuyerInfo>>;

export const infoExchangeSchema = z
  .object({
    transactionId: z.int(),
    available: z.boolean().describe("Whether information may be shared and confirmed now."),
    sellerInfo: sellerInfoSchema.nullable(),
    buyerInfo: buyerInfoSchema.nullable(),
    sellerInfoErased: z
      .boolean()
      .describe("Whether a side had given something and it was erased, as when its account is deleted."),
    buyerInfoErased: z.boolean(),
    sellerConfirmed: z
      .boolean()
      .describe("Whether a side has confirmed what the other one shared, as it is now."),
    buyerConfirmed: z.boolean(),
    sellerInfoVersion: z
      .int()
      .describe("Of what each side shared, 0 for nothing: a confirmation names the other side's."),
    buyerInfoVersion: z.int(),
    sellerMayCorrect: z
      .boolean()
      .describe(
        "Whether a side's form may still be corrected once; the payout's own state may forbid it sooner.",
      ),
    buyerMayCorrect: z.boolean(),
  })
  .meta({ id: "InfoExchange" }) satisfies z.ZodType<JsonView<InfoExchange>>;

export const clockSchema = z
  .object({
    kind: z.enum(deadlineKinds),
    dueAt: dateTimeSchema,
    overdue: z.boolean(),
    paused: z.boolean(),
    extendedMinutes: z.int(),
  })
  .meta({ id: "Clock" }) satisfies z.ZodType<JsonView<Clock>>;

const disputableSchema = z
  .enum(["payment_confirmed", "exchange_completed", "settlement_pending"])
  .meta({ id: "Disputable" });

const statementSchema = z
  .object({ by: z.enum(["buyer", "seller", "admin"]), body: z.string(), at: dateTimeSchema })
  .meta({ id: "Statement" }) satisfies z.ZodType<JsonView<Statement>>;

export const caseViewSchema = z
  .object({
    openedBy: partySchema,
    openedFrom: disputableSchema,
    openedAt: dateTimeSchema,
    outcome: z.enum(["split", "withdrawn", "admin", "refund", "released", "cancelled", "release"]).nullable(),
    refundAmount: z.int().nullable().describe("The buyer's part of a split."),
    endedAt: dateTimeSchema.nullable(),
    mediator: z
      .object({ id: z.int(), displayName: z.string(), since: dateTimeSchema })
      .nullable()
      .describe("Whoever of the administrators took it; null once they are none any more."),
    statements: z.array(statementSchema),
  })
  .meta({ id: "CaseView" }) satisfies z.ZodType<JsonView<CaseView>>;

export const vaultViewSchema = z
  .object({
    state: z
      .enum(["none", "sealed", "opened", "destroyed"])
      .describe("`destroyed`: the trade has ended, and what was sealed with it."),
    sealedAt: dateTimeSchema.nullable().describe("Of the record that counts, the last one sealed."),
    openedAt: dateTimeSchema.nullable(),
    openedCount: z.int(),
    checked: z.object({ password: z.boolean(), secondFactor: z.boolean(), recovery: z.boolean() }),
    checkBy: dateTimeSchema
      .nullable()
      .describe(
        "Until when the buyer should have ticked all three; null before the opening, once all are, and after the end.",
      ),
    overdue: z.boolean(),
    destroyedAt: dateTimeSchema.nullable(),
    earlier: z
      .array(z.object({ sealedAt: dateTimeSchema, openedAt: dateTimeSchema.nullable() }))
      .describe("Records that a later one replaced."),
  })
  .meta({ id: "VaultView" }) satisfies z.ZodType<JsonView<VaultView>>;

export const vaultValuesSchema = z
  .object({
    email: z.string().optional(),
    password: z.string().optional(),
    login: z.string().optional(),
    emailPassword: z.string().optional(),
    recoveryNotes: z.string().optional().describe("Recovery codes and how to move the second factor."),
    notes: z.string().optional(),
  })
  .meta({ id: "VaultValues" }) satisfies z.ZodType<JsonView<VaultValues>>;

export const bankLinkSchema = z
  .object({ name: z.string(), description: z.string(), logo: z.string(), link: z.string() })
  .meta({ id: "BankLink" }) satisfies z.ZodType<JsonView<BankLink>>;
