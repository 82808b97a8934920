import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../../trade/view/responses.ts";
import { settlementsSchema } from "../treasury/responses.ts";

export const listSettlements = describeCall({
  summary: "List QPay's settlements to Midman's bank account",
  group: "Back office: money",
  by: "admin",
  answers: settlementsSchema,
});

export const enterSettlement = describeCall({
  summary: "Record a settlement of QPay; two administrators must enter the same",
  group: "Back office: money",
  by: "freshAdmin",
  answers: successReplySchema.extend({ state: z.enum(["recorded", "proposed"]) }),
  refuses: ["SETTLEMENT_CONFLICT", "PROPOSER_NOT_ADMIN", "FOUR_EYES_RELATED", "PROPOSAL_DIFFERS"],
});

export const dismissSettlement = describeCall({
  summary: "Dismiss the entry of a settlement",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema,
  refuses: ["PROPOSAL_CHANGED"],
});
