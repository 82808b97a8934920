import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema, tradeReplySchema } from "../trade/view/responses.ts";
import { holdViewSchema } from "./responses.ts";

export const listHolds = describeCall({
  summary: "List open holds",
  group: "Back office: money",
  by: "admin",
  answers: z.object({ holds: z.array(holdViewSchema) }),
});

export const listTradeHolds = describeCall({
  summary: "List every hold of a transaction",
  group: "Back office: money",
  by: "admin",
  answers: z.object({ holds: z.array(holdViewSchema), code: z.string(), ownTrade: z.boolean() }),
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const putOnHold = describeCall({
  summary: "Put a transaction on hold because of suspected fraud",
  group: "Back office: money",
  by: "admin",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE"],
});

export const resolveHold = describeCall({
  summary: "Resolve a hold of a transaction",
  group: "Back office: money",
  by: "freshAdmin",
  answers: successReplySchema.extend({ state: z.enum(["proposed", "closed"]) }),
  refuses: [
    "OWN_TRADE",
    "HOLD_OUTCOME_INVALID",
    "FOUR_EYES_RELATED",
    "PROPOSAL_DIFFERS",
    "MONEY_ALREADY_SENT",
  ],
});
