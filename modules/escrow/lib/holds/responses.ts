import { z } from "zod";
import type { JsonView } from "#calls";
import { holdResolutions } from "#forms/payments";
import { holdReasons } from "#modules/payments";
import type { HoldView } from "./view.ts";

const dateTimeSchema = z.iso.datetime();
const resolutionSchema = z.enum(holdResolutions).meta({ id: "HoldResolution" });
export const holdReasonSchema = z.enum(holdReasons).meta({ id: "HoldReason" });

const factsSchema = z
  .object({
    providerPaymentId: z.string().optional(),
    invoiceId: z.string().optional(),
    namesInvoice: z.string().optional().describe("The provider's invoice that the row names."),
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
    row: z.unknown().optional().describe("The provider's row, without its bank legs."),
  })
  .meta({ id: "HoldFacts" });

const transactionReferenceSchema = z.object({ id: z.int(), code: z.string() });

export const holdViewSchema = z
  .object({
    id: z.int(),
    reason: holdReasonSchema,
    transaction: transactionReferenceSchema,
    other: transactionReferenceSchema.nullable().describe("The other transaction that it concerns."),
    facts: factsSchema,
    openedAt: dateTimeSchema,
    openedBy: z.string().nullable().describe("Who reported it; null where Midman found it."),
    clearsItself: z.boolean().describe("The provider's next answer may end it."),
    resolutions: z.array(z.object({ outcome: resolutionSchema, twoPeople: z.boolean() })),
    proposal: z
      .object({
        outcome: resolutionSchema,
        by: z.string(),
        own: z.boolean(),
        at: dateTimeSchema,
        note: z.string(),
        obstacle: z.enum(["PROPOSER_NOT_ADMIN", "FOUR_EYES_RELATED"]).nullable(),
      })
      .nullable(),
    closed: z
      .object({
        at: dateTimeSchema,
        outcome: z.enum(["cleared", ...holdResolutions]),
        by: z.string().nullable(),
        note: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: "Hold" }) satisfies z.ZodType<JsonView<HoldView>>;
