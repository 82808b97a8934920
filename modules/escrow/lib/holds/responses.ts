import { z } from "zod";
import { holdResolutions } from "#forms/payments";
import { type HoldFacts, holdReasons } from "#modules/payments";
import { confirmObstacles } from "../core/proposals.ts";

const resolutionSchema = z.enum(holdResolutions).meta({ id: "HoldResolution" });
export const holdReasonSchema = z.enum(holdReasons).meta({ id: "HoldReason" });

const factsSchema = z
  .object({
    providerPaymentId: z.string().optional(),
    invoiceId: z.string().optional(),
    namesInvoice: z.string().optional().describe("The provider's invoice that the payment belongs to."),
    amount: z.string().optional().describe("As the provider wrote it."),
    currency: z.string().optional(),
    status: z.string().optional(),
    paidAt: z.string().optional(),
    payerBank: z.string().optional(),
    wallet: z.string().optional(),
    billed: z.int().optional().describe("What the invoice asked for, in tugrik."),
    bookedAmount: z.int().optional(),
    paymentId: z.int().optional(),
    manualPaymentId: z.int().optional(),
    payoutId: z.int().optional(),
    differenceId: z.int().optional(),
    day: z.string().optional(),
    cause: z.string().optional(),
    note: z.string().optional(),
    row: z
      .unknown()
      .optional()
      .describe("The payment as the provider reports it, without its bank transfers."),
  })
  .meta({ id: "HoldFacts" }) satisfies z.ZodType<Omit<HoldFacts, "otherReference">>;

const transactionReferenceSchema = z.object({ id: z.int(), code: z.string() });

/** One reason of a hold as administrators see it, with every fact. */
export const holdViewSchema = z
  .object({
    id: z.int(),
    reason: holdReasonSchema,
    transaction: transactionReferenceSchema,
    other: transactionReferenceSchema.nullable().describe("The other transaction that the facts concern."),
    facts: factsSchema,
    openedAt: z.iso.datetime(),
    openedBy: z.string().nullable().describe("The administrator who reported it. Null if Midman found it."),
    clearsItself: z.boolean().describe("Whether the provider's next reply may close it."),
    resolutions: z
      .array(z.object({ outcome: resolutionSchema, twoPeople: z.boolean() }))
      .describe("What you can decide, and which decisions need a second administrator."),
    proposal: z
      .object({
        outcome: resolutionSchema,
        by: z.string(),
        own: z.boolean(),
        at: z.iso.datetime(),
        note: z.string(),
        obstacle: z.enum(confirmObstacles).nullable(),
      })
      .nullable(),
    closed: z
      .object({
        at: z.iso.datetime(),
        outcome: z.enum(["cleared", ...holdResolutions]),
        by: z.string().nullable(),
        note: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: "Hold" });
export type HoldView = z.output<typeof holdViewSchema>;
