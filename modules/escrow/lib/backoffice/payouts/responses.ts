import { z } from "zod";
import type { Sent } from "#calls";
import type { Destination } from "#forms/payments";
import type { Payout } from "#modules/payments";
import { withTrade } from "../../trade/view/responses.ts";
import type { PayoutTask } from "../work-queue/payout-tasks.ts";
import type { Sender } from "./recipient.ts";

const moment = z.iso.datetime();

export const payoutState = z
  .enum(["void", "unknown", "due", "approved", "sent", "done"])
  .meta({ id: "PayoutState" });

const payoutSource = z.union([z.literal("escrow"), z.templateLiteral(["suspense:", z.number()])]);

const payoutKind = z.enum(["refund", "payout"]).meta({ id: "PayoutKind" });

const destination = z
  .object({
    bankName: z.string(),
    accountName: z.string(),
    accountNumber: z.string(),
    iban: z.string().optional(),
    phone: z.string().optional(),
  })
  .meta({ id: "Destination" }) satisfies z.ZodType<Sent<Destination>>;

export const payout = z
  .object({
    id: z.int(),
    amount: z.int(),
    fee: z.int(),
    reason: z.string().nullable(),
    destination: destination.nullable(),
    namedBy: z
      .int()
      .nullable()
      .describe("The administrator who named a refund's account in its buyer's place."),
    namedAt: moment.nullable(),
    namedReason: z.string().nullable(),
    reference: z.int(),
    state: payoutState,
    bankReference: z.string().nullable(),
    createdAt: moment,
    kind: payoutKind,
    source: payoutSource,
    recipientId: z.int().nullable(),
    dueAt: moment,
    correctedAt: moment
      .nullable()
      .describe("When its owner replaced the account: it then takes two approvals."),
    firstApprovedBy: z.int().nullable(),
    firstApprovedAt: moment.nullable(),
    reportedBy: z.int().nullable().describe("Who says that they had sent it before another took it over."),
    reportedAt: moment.nullable(),
    reportedReference: z.string().nullable(),
    approvedBy: z.int().nullable(),
    approvedAt: moment.nullable(),
    fourEyes: z.boolean(),
    claimedBy: z.int().nullable(),
    takenOverFrom: z.int().nullable().describe("Whom the transfer was last taken over from."),
    claimedAt: moment.nullable(),
    sentBy: z.int().nullable(),
    sentAt: moment.nullable(),
    referenceMissing: z.boolean(),
    doneBy: z.int().nullable(),
    doneAt: moment.nullable(),
    unknownBy: z.int().nullable(),
    unknownAt: moment.nullable(),
    voidedBy: z.int().nullable(),
    voidedAt: moment.nullable(),
    replaces: z.int().nullable(),
    erasedAt: moment.nullable(),
  })
  .meta({ id: "Payout" }) satisfies z.ZodType<Sent<Payout>>;

const sender = z
  .object({ id: z.int(), displayName: z.string(), since: moment })
  .meta({ id: "Sender" }) satisfies z.ZodType<Sent<Sender>>;

export const payoutTask = z
  .object({
    id: z.int(),
    amount: z.int(),
    fee: z.int(),
    destination: destination.nullable(),
    state: payoutState,
    kind: payoutKind,
    source: payoutSource,
    approvedBy: z.int().nullable(),
    fourEyes: z.boolean(),
    referenceMissing: z.boolean(),
    transactionId: z.int(),
    transactionCode: z.string(),
    recipient: z.object({ id: z.int(), displayName: z.string() }).nullable(),
    destinationDigest: z
      .string()
      .describe("By which who approves, sends or settles says which destination they were shown."),
    payerBanks: z.array(z.string()).describe("Codes of the banks a refund's money came from."),
    sender: sender.nullable().describe("Who is making the transfer."),
    onHold: z.boolean().describe("Its transaction is on hold: it can be neither approved nor sent."),
    dueAt: moment,
    overdue: z.boolean(),
  })
  .meta({ id: "PayoutTask" }) satisfies z.ZodType<Sent<PayoutTask>>;

export const withPayout = withTrade.extend({ payout });
