import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../../trade/view/responses.ts";
import type { discardSettlementEntry, enterSettlement as enter } from "./enter-settlement.ts";
import { settlementsSchema } from "./responses.ts";
import type { readSettlements } from "./settlement-view.ts";

export const listSettlements = describeCall<typeof readSettlements>({
  summary: "List QPay's settlements to Midman's bank account",
  group: "Back office: money",
  by: "admin",
  answers: settlementsSchema,
});

export const enterSettlement = describeCall<typeof enter>({
  summary: "Record a QPay settlement; two administrators must enter the same figures",
  group: "Back office: money",
  by: "freshAdmin",
  answers: successReplySchema.extend({ state: z.enum(["recorded", "proposed"]) }),
  refuses: {
    SETTLEMENT_CONFLICT: true,
    PROPOSER_NOT_ADMIN: true,
    FOUR_EYES_RELATED: true,
    PROPOSAL_DIFFERS: true,
  },
});

export const dismissSettlement = describeCall<typeof discardSettlementEntry>({
  summary: "Discard a settlement entry",
  group: "Back office: money",
  by: "admin",
  answers: successReplySchema,
  refuses: { NOT_FOUND: true, PROPOSAL_CHANGED: true },
});
