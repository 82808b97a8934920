import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../../trade/view/responses.ts";
import { reconciliationSchema, runSchema, treasuryViewSchema } from "../treasury/responses.ts";
import type * as treasury from "../treasury/treasury.ts";
import type * as verbs from "./reconciliation.ts";

export const showReconciliation = describeCall<typeof verbs.readReconciliation>({
  summary: "Get a day's reconciliation",
  group: "Back office: money",
  by: "admin",
  answers: reconciliationSchema,
});

export const compareDay = describeCall<typeof verbs.runReconciliation>({
  summary: "Reconcile a day with the provider's list",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema.extend({ run: runSchema }),
  refuses: { DAY_AHEAD: true, PROVIDER_UNAVAILABLE: true, PROVIDER_REFUSED: true },
});

export const resolveDifference = describeCall<typeof verbs.settleDifference>({
  summary: "Resolve a difference with a note",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema,
  refuses: { NOT_FOUND: true, OWN_TRADE: true },
});

export const askAboutDifference = describeCall<typeof verbs.askAboutDifference>({
  summary: "Check a difference with the provider again",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema,
  refuses: { NOT_FOUND: true, TRANSACTION_NOT_FOUND: true, OWN_TRADE: true, PROVIDER_UNAVAILABLE: true },
});

export const showTreasury = describeCall<typeof treasury.readTreasury>({
  summary: "Get the money in suspense and the status of the halt switch",
  group: "Back office: money",
  by: "admin",
  answers: treasuryViewSchema,
});

export const haltOutgoingMoney = describeCall<typeof treasury.switchOutgoingMoney>({
  summary: "Halt or resume all outgoing money; resuming needs a second administrator",
  group: "Back office: money",
  by: "freshAdmin",
  answers: successReplySchema.extend({
    halted: z.boolean().describe("Whether outgoing money is halted now."),
  }),
  refuses: { FOUR_EYES_RELATED: true },
});
