import { z } from "zod";
import type { Sent } from "#calls";
import type { BankLink } from "#modules/payments";
import type { Clock } from "../deadlines/clock-view.ts";
import type { CaseView, Statement } from "../disputes/case.ts";
import type { BuyerInfo, InfoExchange, SellerInfo } from "../information/view.ts";
import { deadlineKinds, stepKeys } from "../machine/trade-types.ts";
import type { StepView } from "../trade/view/step-views.ts";
import type { TradeProgress } from "../trade/view/trade-progress.ts";
import type { VaultValues } from "../vault/cipher.ts";
import type { VaultView } from "../vault/view.ts";

const moment = z.iso.datetime();

export const party = z.enum(["buyer", "seller"]).meta({ id: "Party" });

const moneyState = z
  .enum(["none", "released", "disputed", "waiting", "held", "returned"])
  .meta({ id: "MoneyState" });

const mark = z.enum(["agreed", "handedOver", "held", "paid", "confirmed", "paidOut"]).meta({ id: "Mark" });

export const moneyStateView = z
  .object({
    money: moneyState,
    done: z.array(mark).describe("The marks that are behind it."),
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
  .meta({ id: "Standing" }) satisfies z.ZodType<Sent<TradeProgress>>;

export const stepView = z
  .object({ step: z.enum(stepKeys), completedAt: moment.nullable() })
  .meta({ id: "StepView" }) satisfies z.ZodType<Sent<StepView>>;

const sellerInfo = z
  .object({
    bankName: z.string().nullable(),
    accountName: z.string().nullable(),
    accountNumber: z.string().nullable(),
    iban: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    email: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: "SellerInfo" }) satisfies z.ZodType<Sent<SellerInfo>>;

const buyerInfo = z
  .object({
    name: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    email: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: "BuyerInfo" }) satisfies z.ZodType<Sent<BuyerInfo>>;

export const infoExchange = z
  .object({
    transactionId: z.int(),
    available: z.boolean().describe("Whether information may be shared and confirmed now."),
    sellerInfo: sellerInfo.nullable(),
    buyerInfo: buyerInfo.nullable(),
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
  .meta({ id: "InfoExchange" }) satisfies z.ZodType<Sent<InfoExchange>>;

export const clock = z
  .object({
    kind: z.enum(deadlineKinds),
    dueAt: moment,
    overdue: z.boolean(),
    paused: z.boolean(),
    extendedMinutes: z.int(),
  })
  .meta({ id: "Clock" }) satisfies z.ZodType<Sent<Clock>>;

const disputable = z
  .enum(["payment_confirmed", "exchange_completed", "settlement_pending"])
  .meta({ id: "Disputable" });

const statement = z
  .object({ by: z.enum(["buyer", "seller", "admin"]), body: z.string(), at: moment })
  .meta({ id: "Statement" }) satisfies z.ZodType<Sent<Statement>>;

export const caseView = z
  .object({
    openedBy: party,
    openedFrom: disputable,
    openedAt: moment,
    outcome: z.enum(["split", "withdrawn", "admin", "refund", "released", "cancelled", "release"]).nullable(),
    refundAmount: z.int().nullable().describe("The buyer's part of a split."),
    endedAt: moment.nullable(),
    mediator: z
      .object({ id: z.int(), displayName: z.string(), since: moment })
      .nullable()
      .describe("Whoever of the administrators took it; null once they are none any more."),
    statements: z.array(statement),
  })
  .meta({ id: "CaseView" }) satisfies z.ZodType<Sent<CaseView>>;

export const vaultView = z
  .object({
    state: z
      .enum(["none", "sealed", "opened", "destroyed"])
      .describe("`destroyed`: the trade has ended, and what was sealed with it."),
    sealedAt: moment.nullable().describe("Of the record that counts, the last one sealed."),
    openedAt: moment.nullable(),
    openedCount: z.int(),
    checked: z.object({ password: z.boolean(), secondFactor: z.boolean(), recovery: z.boolean() }),
    checkBy: moment
      .nullable()
      .describe(
        "Until when the buyer should have ticked all three; null before the opening, once all are, and after the end.",
      ),
    overdue: z.boolean(),
    destroyedAt: moment.nullable(),
    earlier: z
      .array(z.object({ sealedAt: moment, openedAt: moment.nullable() }))
      .describe("Records that a later one replaced."),
  })
  .meta({ id: "VaultView" }) satisfies z.ZodType<Sent<VaultView>>;

export const vaultValues = z
  .object({
    email: z.string().optional(),
    password: z.string().optional(),
    login: z.string().optional(),
    emailPassword: z.string().optional(),
    recoveryNotes: z.string().optional().describe("Recovery codes and how to move the second factor."),
    notes: z.string().optional(),
  })
  .meta({ id: "VaultValues" }) satisfies z.ZodType<Sent<VaultValues>>;

export const bankLink = z
  .object({ name: z.string(), description: z.string(), logo: z.string(), link: z.string() })
  .meta({ id: "BankLink" }) satisfies z.ZodType<Sent<BankLink>>;
