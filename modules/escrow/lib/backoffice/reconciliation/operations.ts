import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../../trade/view/responses.ts";
import { reconciliationSchema, runSchema, treasuryViewSchema } from "../treasury/responses.ts";

export const showReconciliation = describeCall({
  summary: "Get a day's reconciliation with the provider's list",
  group: "Back office: money",
  by: "admin",
  answers: reconciliationSchema,
});

export const compareDay = describeCall({
  summary: "Compare a day with the provider's list",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema.extend({ run: runSchema }),
  refuses: ["DAY_AHEAD", "PROVIDER_UNAVAILABLE", "PROVIDER_REFUSED"],
});

export const resolveDifference = describeCall({
  summary: "Resolve a difference with a note",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema,
  refuses: ["OWN_TRADE"],
});

export const askAboutDifference = describeCall({
  summary: "Ask the provider about a difference again",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema,
  refuses: ["OWN_TRADE", "PROVIDER_UNAVAILABLE"],
});

export const showTreasury = describeCall({
  summary: "Get the money in suspense and the state of the halt switch",
  group: "Back office: money",
  by: "admin",
  answers: treasuryViewSchema,
});

export const haltOutgoingMoney = describeCall({
  summary: "Halt all outgoing money, or resume it: one administrator proposes that, another confirms it",
  group: "Back office: money",
  by: "freshAdmin",
  answers: successReplySchema.extend({ halted: z.boolean().describe("Whether money is halted now.") }),
  refuses: ["FOUR_EYES_RELATED"],
});
