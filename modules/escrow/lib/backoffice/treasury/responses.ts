import { z } from "zod";
import type { JsonView } from "#calls";
import { templateNames } from "#modules/mailer";
import type { ReconciliationRun } from "#modules/payments";
import { reportHappened } from "../../../forms.ts";
import { partySchema } from "../../core/responses.ts";
import { holdReasonSchema } from "../../holds/responses.ts";
import { payoutStateSchema, payoutTaskSchema } from "../payouts/responses.ts";
import type { DifferenceView, Reconciliation, RunView } from "../reconciliation/reconciliation.ts";
import type { Settlements, SettlementView } from "../settlements/settlement-view.ts";
import { dismissedProposalSchema, proposalViewSchema } from "../transactions/responses.ts";
import type { WorkQueue } from "../work-queue/work-queue.ts";
import type { SuspenseView, TreasuryView } from "./treasury.ts";

const dateTimeSchema = z.iso.datetime();

const causeSchema = z
  .enum([
    "status",
    "amount",
    "missing_here",
    "missing_there",
    "by_hand",
    "refunded_there",
    "uncountable",
    "duplicate",
    "other_invoice",
  ])
  .meta({ id: "Cause" });

const choreSchema = z
  .union([
    z.object({
      kind: z.literal("difference"),
      id: z.int(),
      day: z.string(),
      cause: causeSchema,
      amount: z.int().nullable(),
      dueAt: dateTimeSchema,
    }),
    z.object({
      kind: z.literal("job"),
      id: z.string(),
      name: z.string(),
      reason: z.string(),
      dueAt: dateTimeSchema,
    }),
    z.object({
      kind: z.literal("mail"),
      id: z.int(),
      template: z.enum(templateNames),
      recipient: z.string(),
      userId: z.int().nullable(),
      reason: z.string(),
      dueAt: dateTimeSchema,
    }),
  ])
  .meta({ id: "Chore" });

export const workQueueSchema = z
  .object({
    alarms: z
      .array(
        z.object({
          of: z.enum(["ledger", "log", "anchor"]),
          state: z.enum(["broken", "missing"]),
          since: dateTimeSchema,
        }),
      )
      .describe(
        "Books or log that do not prove whole, or that nobody has proved for too long; `anchor`: heads of the log that cannot be sent away.",
      ),
    payouts: z.array(payoutTaskSchema),
    disputes: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        openedBy: partySchema,
        openedAt: dateTimeSchema,
        mediator: z.string().nullable().describe("Who has the case; null while nobody does."),
        answered: z
          .object({ by: partySchema, at: dateTimeSchema })
          .nullable()
          .describe("Which side last wrote after the mediator's last words, and when."),
        proposed: proposalViewSchema
          .nullable()
          .describe("Who proposed a ruling that waits for a second administrator."),
        dueAt: dateTimeSchema.describe("When it should be ruled."),
      }),
    ),
    overdue: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        kind: z.enum(["payment_window", "hand_over", "admin_review", "seller_finish", "refund_account"]),
        dueAt: dateTimeSchema,
      }),
    ),
    holds: z
      .array(
        z.object({
          transactionId: z.int(),
          transactionCode: z.string(),
          reasons: z.array(holdReasonSchema),
          secondNeeded: z.boolean().describe("A resolution waits for a second administrator."),
          openedAt: dateTimeSchema,
          dueAt: dateTimeSchema,
        }),
      )
      .describe("Transactions on hold: no ending and no outgoing step of them takes effect."),
    handConfirmations: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        proposal: proposalViewSchema,
        proposedAt: dateTimeSchema,
        dueAt: dateTimeSchema,
      }),
    ),
    settlements: z
      .array(z.object({ proposal: proposalViewSchema, proposedAt: dateTimeSchema, dueAt: dateTimeSchema }))
      .describe("Settlements of QPay that a second administrator should confirm."),
    restrictions: z
      .array(
        z.object({
          userId: z.int(),
          username: z.string(),
          kind: z.enum(["limit", "suspend"]),
          proposedBy: z.string(),
          dueAt: dateTimeSchema,
        }),
      )
      .describe("People whom a second administrator should confirm to be restricted for good."),
    reports: z
      .array(
        z.object({
          id: z.int(),
          number: z.string(),
          happened: z.enum(reportHappened),
          held: z.boolean().describe("It holds its transaction."),
          transactionCode: z.string().nullable(),
          dueAt: dateTimeSchema,
        }),
      )
      .describe("What people reported and nobody has looked at."),
    chores: z.array(choreSchema).describe("What went wrong without touching one trade alone."),
    more: z
      .array(
        z.enum([
          "refund",
          "payout",
          "dispute",
          "suspense",
          "unconfirmed",
          "hold",
          "byHand",
          "settlement",
          "restriction",
          "report",
          "difference",
          "job",
          "mail",
        ]),
      )
      .describe("The kinds of which there are more than a hundred."),
    serverTime: dateTimeSchema,
  })
  .meta({ id: "WorkQueue" }) satisfies z.ZodType<JsonView<WorkQueue>>;

export const runSchema = z
  .object({
    id: z.int(),
    opened: z.int().nullable(),
    day: z.string(),
    begunAt: dateTimeSchema,
    begunBy: z.int().nullable(),
    failure: z.enum(["PROVIDER_UNAVAILABLE", "PROVIDER_REFUSED"]).nullable(),
    thereCount: z.int().nullable(),
    thereSum: z.int().nullable(),
    hereCount: z.int().nullable(),
    hereSum: z.int().nullable(),
    found: z.int().nullable(),
    vanished: z.int().nullable(),
  })
  .meta({ id: "Run" }) satisfies z.ZodType<JsonView<ReconciliationRun>>;

const runViewSchema = z
  .object({
    id: z.int(),
    opened: z.int().nullable(),
    day: z.string(),
    failure: z.enum(["PROVIDER_UNAVAILABLE", "PROVIDER_REFUSED"]).nullable(),
    thereCount: z.int().nullable(),
    thereSum: z.int().nullable(),
    hereCount: z.int().nullable(),
    hereSum: z.int().nullable(),
    found: z.int().nullable(),
    vanished: z.int().nullable(),
    begunAt: dateTimeSchema,
    by: z.string().nullable(),
  })
  .meta({ id: "RunView" }) satisfies z.ZodType<JsonView<RunView>>;

const differenceViewSchema = z
  .object({
    id: z.int(),
    day: z.string(),
    cause: causeSchema,
    state: z.enum(["open", "vanished", "resolved"]),
    providerPaymentId: z.string().nullable(),
    transaction: z.object({ id: z.int(), code: z.string() }).nullable(),
    thereAmount: z.int().nullable(),
    thereStatus: z.string().nullable(),
    hereAmount: z.int().nullable(),
    foundAt: dateTimeSchema,
    seenAt: dateTimeSchema,
    closedAt: dateTimeSchema.nullable(),
    resolvedBy: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: "DifferenceView" }) satisfies z.ZodType<JsonView<DifferenceView>>;

export const reconciliationSchema = z
  .object({
    day: z.string(),
    today: z.string(),
    last: runViewSchema.nullable().describe("The day's last run that was answered."),
    differences: z.array(differenceViewSchema),
    openDays: z.array(z.object({ day: z.string(), open: z.int() })),
    runs: z.array(runViewSchema),
    next: z.int().nullable().describe("The id after which the history goes on; null at its end."),
  })
  .meta({ id: "Reconciliation" }) satisfies z.ZodType<JsonView<Reconciliation>>;

const suspenseViewSchema = z
  .object({
    paymentId: z.int(),
    providerPaymentId: z.string().nullable(),
    amount: z.int().describe("What is still here, in tugrik."),
    paidAt: dateTimeSchema,
    transaction: z.object({ id: z.int(), code: z.string() }).nullable(),
    wallet: z.string().nullable(),
    payerBank: z.string().nullable().describe("The code of the payer's bank."),
    refund: z.object({ state: payoutStateSchema, destination: z.boolean() }).nullable(),
  })
  .meta({ id: "SuspenseView" }) satisfies z.ZodType<JsonView<SuspenseView>>;

export const treasuryViewSchema = z
  .object({
    halt: z.object({
      halted: z.boolean(),
      reason: z.string().nullable(),
      by: z.string().nullable(),
      at: dateTimeSchema.nullable(),
      resume: z
        .object({ by: z.string(), own: z.boolean(), at: dateTimeSchema, reason: z.string().nullable() })
        .nullable()
        .describe("Who proposes that money goes out again; another administrator confirms it."),
    }),
    suspense: z.array(suspenseViewSchema),
    next: z.int().nullable(),
    today: z.string(),
  })
  .meta({ id: "MoneyDesk" }) satisfies z.ZodType<JsonView<TreasuryView>>;

const settlementViewSchema = z
  .object({
    id: z.int(),
    bankReference: z.string(),
    received: z.int().describe("What came to our bank, in tugrik."),
    cost: z.int().describe("What QPay kept, in tugrik."),
    enteredBy: z.string(),
    confirmedBy: z.string(),
    at: dateTimeSchema,
  })
  .meta({ id: "SettlementView" }) satisfies z.ZodType<JsonView<SettlementView>>;

export const settlementsSchema = z
  .object({
    waiting: z
      .array(proposalViewSchema.extend({ enteredAt: dateTimeSchema }))
      .describe("What a second administrator should confirm, never with its figures."),
    recorded: z.array(settlementViewSchema),
    next: z.int().nullable().describe("The place after which the list goes on; null at its end."),
    laidAside: z.array(dismissedProposalSchema),
  })
  .meta({ id: "Settlements" }) satisfies z.ZodType<JsonView<Settlements>>;
