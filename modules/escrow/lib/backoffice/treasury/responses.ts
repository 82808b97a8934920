import { z } from "zod";
import type { Sent } from "#calls";
import { templateNames } from "#modules/mailer";
import type { Run } from "#modules/payments";
import { reportHappened } from "../../../forms.ts";
import { party } from "../../core/responses.ts";
import { holdReason } from "../../holds/responses.ts";
import { payoutState, payoutTask } from "../payouts/responses.ts";
import type { DifferenceView, Reconciliation, RunView } from "../reconciliation/reconciliation.ts";
import type { Settlements, SettlementView } from "../settlements/settlement-view.ts";
import { laidAside, proposalView } from "../transactions/responses.ts";
import type { WorkQueue } from "../work-queue/work-queue.ts";
import type { MoneyDesk, SuspenseView } from "./treasury.ts";

const moment = z.iso.datetime();

const cause = z
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

const chore = z
  .union([
    z.object({
      kind: z.literal("difference"),
      id: z.int(),
      day: z.string(),
      cause: cause,
      amount: z.int().nullable(),
      dueAt: moment,
    }),
    z.object({ kind: z.literal("job"), id: z.string(), name: z.string(), reason: z.string(), dueAt: moment }),
    z.object({
      kind: z.literal("mail"),
      id: z.int(),
      template: z.enum(templateNames),
      recipient: z.string(),
      userId: z.int().nullable(),
      reason: z.string(),
      dueAt: moment,
    }),
  ])
  .meta({ id: "Chore" });

export const workQueue = z
  .object({
    alarms: z
      .array(
        z.object({
          of: z.enum(["ledger", "log", "anchor"]),
          state: z.enum(["broken", "missing"]),
          since: moment,
        }),
      )
      .describe(
        "Books or log that do not prove whole, or that nobody has proved for too long; `anchor`: heads of the log that cannot be sent away.",
      ),
    payouts: z.array(payoutTask),
    disputes: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        openedBy: party,
        openedAt: moment,
        mediator: z.string().nullable().describe("Who has the case; null while nobody does."),
        answered: z
          .object({ by: party, at: moment })
          .nullable()
          .describe("Which side last wrote after the mediator's last words, and when."),
        proposed: proposalView
          .nullable()
          .describe("Who proposed a ruling that waits for a second administrator."),
        dueAt: moment.describe("When it should be ruled."),
      }),
    ),
    overdue: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        kind: z.enum(["payment_window", "hand_over", "admin_review", "seller_finish", "refund_account"]),
        dueAt: moment,
      }),
    ),
    holds: z
      .array(
        z.object({
          transactionId: z.int(),
          transactionCode: z.string(),
          reasons: z.array(holdReason),
          secondNeeded: z.boolean().describe("A resolution waits for a second administrator."),
          openedAt: moment,
          dueAt: moment,
        }),
      )
      .describe("Transactions on hold: no ending and no outgoing step of them takes effect."),
    handConfirmations: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        proposal: proposalView,
        proposedAt: moment,
        dueAt: moment,
      }),
    ),
    settlements: z
      .array(z.object({ proposal: proposalView, proposedAt: moment, dueAt: moment }))
      .describe("Settlements of QPay that a second administrator should confirm."),
    restrictions: z
      .array(
        z.object({
          userId: z.int(),
          username: z.string(),
          kind: z.enum(["limit", "suspend"]),
          proposedBy: z.string(),
          dueAt: moment,
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
          dueAt: moment,
        }),
      )
      .describe("What people reported and nobody has looked at."),
    chores: z.array(chore).describe("What went wrong without touching one trade alone."),
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
    serverTime: moment,
  })
  .meta({ id: "WorkQueue" }) satisfies z.ZodType<Sent<WorkQueue>>;

export const run = z
  .object({
    id: z.int(),
    opened: z.int().nullable(),
    day: z.string(),
    begunAt: moment,
    begunBy: z.int().nullable(),
    failure: z.enum(["PROVIDER_UNAVAILABLE", "PROVIDER_REFUSED"]).nullable(),
    thereCount: z.int().nullable(),
    thereSum: z.int().nullable(),
    hereCount: z.int().nullable(),
    hereSum: z.int().nullable(),
    found: z.int().nullable(),
    vanished: z.int().nullable(),
  })
  .meta({ id: "Run" }) satisfies z.ZodType<Sent<Run>>;

const runView = z
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
    begunAt: moment,
    by: z.string().nullable(),
  })
  .meta({ id: "RunView" }) satisfies z.ZodType<Sent<RunView>>;

const differenceView = z
  .object({
    id: z.int(),
    day: z.string(),
    cause: cause,
    state: z.enum(["open", "vanished", "resolved"]),
    providerPaymentId: z.string().nullable(),
    transaction: z.object({ id: z.int(), code: z.string() }).nullable(),
    thereAmount: z.int().nullable(),
    thereStatus: z.string().nullable(),
    hereAmount: z.int().nullable(),
    foundAt: moment,
    seenAt: moment,
    closedAt: moment.nullable(),
    resolvedBy: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: "DifferenceView" }) satisfies z.ZodType<Sent<DifferenceView>>;

export const reconciliation = z
  .object({
    day: z.string(),
    today: z.string(),
    last: runView.nullable().describe("The day's last run that was answered."),
    differences: z.array(differenceView),
    openDays: z.array(z.object({ day: z.string(), open: z.int() })),
    runs: z.array(runView),
    next: z.int().nullable().describe("The id after which the history goes on; null at its end."),
  })
  .meta({ id: "Reconciliation" }) satisfies z.ZodType<Sent<Reconciliation>>;

const suspenseView = z
  .object({
    paymentId: z.int(),
    providerPaymentId: z.string().nullable(),
    amount: z.int().describe("What is still here, in tugrik."),
    paidAt: moment,
    transaction: z.object({ id: z.int(), code: z.string() }).nullable(),
    wallet: z.string().nullable(),
    payerBank: z.string().nullable().describe("The code of the payer's bank."),
    refund: z.object({ state: payoutState, destination: z.boolean() }).nullable(),
  })
  .meta({ id: "SuspenseView" }) satisfies z.ZodType<Sent<SuspenseView>>;

export const moneyDesk = z
  .object({
    halt: z.object({
      halted: z.boolean(),
      reason: z.string().nullable(),
      by: z.string().nullable(),
      at: moment.nullable(),
      resume: z
        .object({ by: z.string(), own: z.boolean(), at: moment, reason: z.string().nullable() })
        .nullable()
        .describe("Who proposes that money goes out again; another administrator confirms it."),
    }),
    suspense: z.array(suspenseView),
    next: z.int().nullable(),
    today: z.string(),
  })
  .meta({ id: "MoneyDesk" }) satisfies z.ZodType<Sent<MoneyDesk>>;

const settlementView = z
  .object({
    id: z.int(),
    bankReference: z.string(),
    received: z.int().describe("What came to our bank, in tugrik."),
    cost: z.int().describe("What QPay kept, in tugrik."),
    enteredBy: z.string(),
    confirmedBy: z.string(),
    at: moment,
  })
  .meta({ id: "SettlementView" }) satisfies z.ZodType<Sent<SettlementView>>;

export const settlements = z
  .object({
    waiting: z
      .array(proposalView.extend({ enteredAt: moment }))
      .describe("What a second administrator should confirm, never with its figures."),
    recorded: z.array(settlementView),
    next: z.int().nullable().describe("The place after which the list goes on; null at its end."),
    laidAside: z.array(laidAside),
  })
  .meta({ id: "Settlements" }) satisfies z.ZodType<Sent<Settlements>>;
