import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema, tradeReplySchema } from "../trade/view/responses.ts";
import type { reportFraud } from "./report-fraud.ts";
import type { resolveTradeHold } from "./resolve-hold.ts";
import { holdViewSchema } from "./responses.ts";
import type { holdsOfTrade, tradesOnHold } from "./view.ts";

export const listHolds = describeCall<typeof tradesOnHold>({
  summary: "List open holds",
  group: "Back office: money",
  by: "admin",
  answers: z.object({ holds: z.array(holdViewSchema) }),
});

export const listTradeHolds = describeCall<typeof holdsOfTrade>({
  summary: "List all holds on a transaction",
  group: "Back office: money",
  by: "admin",
  answers: z.object({ holds: z.array(holdViewSchema), code: z.string(), ownTrade: z.boolean() }),
  refuses: { TRANSACTION_NOT_FOUND: true },
});

export const putOnHold = describeCall<typeof reportFraud>({
  summary: "Put a transaction on hold for suspected fraud",
  group: "Back office: money",
  by: "admin",
  answers: tradeReplySchema,
  refuses: { TRANSACTION_NOT_FOUND: true, OWN_TRADE: true },
});

export const resolveHold = describeCall<typeof resolveTradeHold>({
  summary: "Resolve a hold on a transaction",
  group: "Back office: money",
  by: "freshAdmin",
  answers: successReplySchema.extend({ state: z.enum(["proposed", "closed"]) }),
  refuses: {
    NOT_FOUND: true,
    OWN_TRADE: true,
    HOLD_OUTCOME_INVALID: true,
    FOUR_EYES_RELATED: true,
    PROPOSAL_DIFFERS: true,
    MONEY_ALREADY_SENT: true,
  },
});
