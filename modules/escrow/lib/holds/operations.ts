import { z } from "zod";
import { call } from "#calls";
import { done, withTrade } from "../trade/view/responses.ts";
import { holdView } from "./responses.ts";

export const listHolds = call({
  summary: "List the holds that are open",
  group: "Back office: money",
  by: "admin",
  answers: z.object({ holds: z.array(holdView) }),
});

export const listTradeHolds = call({
  summary: "List every hold of a transaction",
  group: "Back office: money",
  by: "admin",
  answers: z.object({ holds: z.array(holdView), code: z.string(), ownTrade: z.boolean() }),
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const putOnHold = call({
  summary: "Put a transaction on hold because of suspected fraud",
  group: "Back office: money",
  by: "admin",
  answers: withTrade,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE"],
});

export const resolveHold = call({
  summary: "Resolve a reason of a transaction's hold",
  group: "Back office: money",
  by: "freshAdmin",
  answers: done.extend({ state: z.enum(["proposed", "closed"]) }),
  refuses: [
    "OWN_TRADE",
    "HOLD_OUTCOME_INVALID",
    "FOUR_EYES_RELATED",
    "PROPOSAL_DIFFERS",
    "MONEY_ALREADY_SENT",
  ],
});
