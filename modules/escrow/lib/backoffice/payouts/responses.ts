import { z } from "zod";
import { dateTimeSchema } from "#calls";
import type { Destination } from "#forms/payments";
import { payoutStateSchema as payoutState } from "#forms/payments";
import type { Payout } from "#modules/payments";
import { tradeReplySchema } from "../../trade/view/responses.ts";

export const payoutStateSchema = payoutState.meta({ id: "PayoutState" });

const payoutSourceSchema = z.union([z.literal("escrow"), z.templateLiteral(["suspense:", z.number()])]);

const payoutKindSchema = z.enum(["refund", "payout"]).meta({ id: "PayoutKind" });

const destinationSchema = z
  .object({
    bankName: z.string(),
    accountName: z.string(),
    accountNumber: z.string(),
    iban: z.string().optional(),
    phone: z.string().optional(),
  })
  .meta({ id: "Destination" }) satisfies z.ZodType<Destination>;

export const payoutSchema = z
  .object({
    id: z.int(),
    amount: z.int(),
    fee: z.int(),
    reason: z.string().nullable(),
    destination: destinationSchema.nullable(),
    namedBy: z.int().nullable().describe("The administrator who added the refund account for the buyer."),
    namedAt: dateTimeSchema.nullable(),
    namedReason: z.string().nullable(),
    reference: z.int(),
    state: payoutStateSchema,
    bankReference: z.string().nullable(),
    createdAt: dateTimeSchema,
    kind: payoutKindSchema,
    source: payoutSourceSchema,
    recipientId: z.int().nullable(),
    dueAt: dateTimeSchema,
    correctedAt: dateTimeSchema
      .nullable()
      .describe("When the account holder replaced the account. The payout then needs two approvals."),
    firstApprovedBy: z.int().nullable(),
    firstApprovedAt: dateTimeSchema.nullable(),
    reportedBy: z
      .int()
      .nullable()
      .describe("The administrator who reported having sent it before another one took it over."),
    reportedAt: dateTimeSchema.nullable(),
    reportedReference: z.string().nullable(),
    approvedBy: z.int().nullable(),
    approvedAt: dateTimeSchema.nullable(),
    fourEyes: z.boolean(),
    claimedBy: z.int().nullable(),
    takenOverFrom: z
      .int()
      .nullable()
      .describe("The administrator from whom the transfer was last taken over."),
    claimedAt: dateTimeSchema.nullable(),
    claimNote: z
      .string()
      .nullable()
      .describe("Why the administrator claimed the transfer, if they noted it."),
    sentBy: z.int().nullable(),
    sentAt: dateTimeSchema.nullable(),
    referenceMissing: z.boolean(),
    doneBy: z.int().nullable(),
    doneAt: dateTimeSchema.nullable(),
    unknownBy: z.int().nullable(),
    unknownAt: dateTimeSchema.nullable(),
    voidedBy: z.int().nullable(),
    voidedAt: dateTimeSchema.nullable(),
    replaces: z.int().nullable(),
    erasedAt: dateTimeSchema.nullable(),
  })
  .meta({ id: "Payout" }) satisfies z.ZodType<Payout>;

/** Who is making a transfer at the bank, and since when. */
const senderSchema = z
  .object({ id: z.int(), displayName: z.string(), since: z.iso.datetime() })
  .meta({ id: "Sender" });
export type Sender = z.output<typeof senderSchema>;

/** A payout or refund that waits for a person. */
export const payoutTaskSchema = z
  .object({
    id: z.int(),
    amount: z.int(),
    fee: z.int(),
    destination: destinationSchema.nullable(),
    state: payoutStateSchema,
    kind: payoutKindSchema,
    source: payoutSourceSchema,
    approvedBy: z.int().nullable(),
    fourEyes: z.boolean(),
    referenceMissing: z.boolean(),
    transactionId: z.int(),
    transactionCode: z.string(),
    recipient: z.object({ id: z.int(), displayName: z.string() }).nullable(),
    destinationDigest: z
      .string()
      .describe("Digest of the destination shown. Required to approve, send or resolve the payout."),
    payerBanks: z.array(z.string()).describe("Codes of the banks the payment came from; set for refunds."),
    sender: senderSchema.nullable().describe("The administrator who is making the transfer."),
    onHold: z.boolean().describe("Whether its transaction is on hold. If so, it can't be approved or sent."),
    dueAt: z.iso.datetime(),
    overdue: z.boolean(),
  })
  .meta({ id: "PayoutTask" });
export type PayoutTask = z.output<typeof payoutTaskSchema>;

export const payoutReplySchema = tradeReplySchema.extend({ payout: payoutSchema });
