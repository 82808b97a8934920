import { z } from "zod";
import { discardedProposalSchema, proposalViewSchema } from "../transactions/responses.ts";

/** One settlement of QPay as it was posted; sums are whole tugrik. */
const settlementViewSchema = z
  .object({
    id: z.int(),
    bankReference: z.string(),
    received: z.int().describe("What Midman's bank account received, in tugrik."),
    cost: z.int().describe("What QPay kept, in tugrik."),
    enteredBy: z.string(),
    confirmedBy: z.string(),
    at: z.iso.datetime(),
  })
  .meta({ id: "SettlementView" });
export type SettlementView = z.output<typeof settlementViewSchema>;

export const settlementsSchema = z
  .object({
    waiting: z
      .array(proposalViewSchema.extend({ enteredAt: z.iso.datetime() }))
      .describe("Entries waiting for a second administrator. Their figures are never included."),
    recorded: z.array(settlementViewSchema),
    next: z.int().nullable().describe("The `before` value of the next page; null on the last page."),
    laidAside: z.array(discardedProposalSchema),
  })
  .meta({ id: "Settlements" });
export type Settlements = z.output<typeof settlementsSchema>;
