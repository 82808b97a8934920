import { z } from "zod";
import { dateTimeSchema } from "#calls";
import { templateNames } from "#modules/mailer";
import type { ReconciliationRun } from "#modules/payments";
import { reportHappened } from "../../../forms.ts";
import { partySchema } from "../../core/responses.ts";
import { holdReasonSchema } from "../../holds/responses.ts";
import { payoutStateSchema, payoutTaskSchema } from "../payouts/responses.ts";
import { proposalViewSchema } from "../transactions/responses.ts";
import { countedKinds } from "../work-queue/work-kinds.ts";

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

/** A difference with the provider's list, a job that failed every time, or a mail that could not be sent. */
const choreSchema = z
  .union([
    z.object({
      kind: z.literal("difference"),
      id: z.int(),
      day: z.string(),
      cause: causeSchema,
      amount: z.int().nullable(),
      dueAt: z.iso.datetime(),
    }),
    z.object({
      kind: z.literal("job"),
      id: z.string(),
      name: z.string(),
      reason: z.string(),
      dueAt: z.iso.datetime(),
    }),
    z.object({
      kind: z.literal("mail"),
      id: z.int(),
      template: z.enum(templateNames),
      recipient: z.string(),
      userId: z.int().nullable(),
      reason: z.string(),
      dueAt: z.iso.datetime(),
    }),
  ])
  .meta({ id: "Chore" });
export type Chore = z.output<typeof choreSchema>;

/**
 * The ledger or the audit log failed its verification (`broken`), or was not verified for too long (`missing`). `anchor`: for hours, no
 * head of the log could be sent off the machine.
 */
const alarmSchema = z.object({
  of: z.enum(["ledger", "log", "anchor"]),
  state: z.enum(["broken", "missing"]),
  since: z.iso.datetime(),
});
export type Alarm = z.output<typeof alarmSchema>;

/** Everything that waits for administrators, most urgent first; at most a hundred of each kind. */
export const workQueueSchema = z
  .object({
    alarms: z
      .array(alarmSchema)
      .describe(
        "Failed or overdue checks of the ledger and the audit log. `anchor`: heads of the log could not be sent off the machine.",
      ),
    payouts: z.array(payoutTaskSchema),
    disputes: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        openedBy: partySchema,
        openedAt: z.iso.datetime(),
        mediator: z.string().nullable().describe("The mediator; null while nobody has taken the dispute."),
        answered: z
          .object({ by: partySchema, at: z.iso.datetime() })
          .nullable()
          .describe("The party who last replied to the mediator, and when."),
        proposed: proposalViewSchema
          .nullable()
          .describe("The administrator whose proposed ruling waits for a second one."),
        dueAt: z.iso.datetime().describe("When the ruling is due."),
      }),
    ),
    overdue: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        kind: z.enum(["payment_window", "hand_over", "admin_review", "seller_finish", "refund_account"]),
        dueAt: z.iso.datetime(),
      }),
    ),
    holds: z
      .array(
        z.object({
          transactionId: z.int(),
          transactionCode: z.string(),
          reasons: z.array(holdReasonSchema),
          secondNeeded: z.boolean().describe("Whether a resolution waits for a second administrator."),
          openedAt: z.iso.datetime(),
          dueAt: z.iso.datetime(),
        }),
      )
      .describe("Transactions on hold. They can't end, and their money can't leave."),
    handConfirmations: z.array(
      z.object({
        transactionId: z.int(),
        transactionCode: z.string(),
        proposal: proposalViewSchema,
        proposedAt: z.iso.datetime(),
        dueAt: z.iso.datetime(),
      }),
    ),
    settlements: z
      .array(
        z.object({ proposal: proposalViewSchema, proposedAt: z.iso.datetime(), dueAt: z.iso.datetime() }),
      )
      .describe("QPay settlements waiting for a second administrator."),
    restrictions: z
      .array(
        z.object({
          userId: z.int(),
          username: z.string(),
          kind: z.enum(["limit", "suspend"]),
          proposedBy: z.string(),
          dueAt: z.iso.datetime(),
        }),
      )
      .describe("People whose permanent restriction waits for a second administrator."),
    reports: z
      .array(
        z.object({
          id: z.int(),
          number: z.string(),
          happened: z.enum(reportHappened),
          held: z.boolean().describe("Whether the report put its transaction on hold."),
          transactionCode: z.string().nullable(),
          dueAt: z.iso.datetime(),
        }),
      )
      .describe("Reports nobody has handled yet."),
    chores: z.array(choreSchema).describe("Problems that concern more than one transaction."),
    more: z.array(z.enum(countedKinds)).describe("The kinds that have more than a hundred items."),
    serverTime: z.iso.datetime(),
  })
  .meta({ id: "WorkQueue" });
export type WorkQueue = z.output<typeof workQueueSchema>;

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
  .meta({ id: "Run" }) satisfies z.ZodType<ReconciliationRun>;

/** A run as administrators see it; `by` is null for the scheduled run of the morning. Sums are whole tugrik, null if it failed. */
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
    begunAt: z.iso.datetime(),
    by: z.string().nullable(),
  })
  .meta({ id: "RunView" });
export type RunView = z.output<typeof runViewSchema>;

/** One difference, with the trade it concerns and who resolved it. */
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
    foundAt: z.iso.datetime(),
    seenAt: z.iso.datetime(),
    closedAt: z.iso.datetime().nullable(),
    resolvedBy: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: "DifferenceView" });
export type DifferenceView = z.output<typeof differenceViewSchema>;

export const reconciliationSchema = z
  .object({
    day: z.string(),
    today: z.string(),
    last: runViewSchema.nullable().describe("The day's latest run that the provider replied to."),
    differences: z.array(differenceViewSchema),
    openDays: z.array(z.object({ day: z.string(), open: z.int() })),
    runs: z.array(runViewSchema),
    next: z.int().nullable().describe("The `before` value of the next page of runs; null on the last page."),
  })
  .meta({ id: "Reconciliation" });
export type Reconciliation = z.output<typeof reconciliationSchema>;

/** Money in suspense, which belongs to no trade: how much, what it was paid for, where it came from and the state of its refund. */
const suspenseViewSchema = z
  .object({
    paymentId: z.int(),
    providerPaymentId: z.string().nullable(),
    amount: z.int().describe("The amount still in suspense, in tugrik."),
    paidAt: z.iso.datetime(),
    transaction: z.object({ id: z.int(), code: z.string() }).nullable(),
    wallet: z.string().nullable(),
    payerBank: z.string().nullable().describe("The code of the payer's bank."),
    refund: z.object({ state: payoutStateSchema, destination: z.boolean() }).nullable(),
  })
  .meta({ id: "SuspenseView" });
export type SuspenseView = z.output<typeof suspenseViewSchema>;

export const treasuryViewSchema = z
  .object({
    halt: z.object({
      halted: z.boolean(),
      reason: z.string().nullable(),
      by: z.string().nullable(),
      at: z.iso.datetime().nullable(),
      resume: z
        .object({ by: z.string(), own: z.boolean(), at: z.iso.datetime(), reason: z.string().nullable() })
        .nullable()
        .describe("The administrator who proposed to resume outgoing money. Another one must confirm it."),
    }),
    suspense: z.array(suspenseViewSchema),
    next: z.int().nullable(),
    today: z.string(),
  })
  .meta({ id: "MoneyDesk" });
export type TreasuryView = z.output<typeof treasuryViewSchema>;
