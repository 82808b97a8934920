import { z } from "zod";
import { call } from "#calls";
import { done } from "../../trade/view/responses.ts";
import { settlements } from "../treasury/responses.ts";

export const listSettlements = call({
  summary: "QPay's settlements to our bank account",
  group: "Back office: money",
  by: "admin",
  answers: settlements,
});

export const enter = call({
  summary: "Record a settlement of QPay; two administrators say the same",
  group: "Back office: money",
  by: "freshAdmin",
  answers: done.extend({ state: z.enum(["recorded", "proposed"]) }),
  refuses: ["SETTLEMENT_CONFLICT", "PROPOSER_NOT_ADMIN", "FOUR_EYES_RELATED", "PROPOSAL_DIFFERS"],
});

export const dismissSettlement = call({
  summary: "Lay the entry of a settlement aside",
  group: "Back office: money",
  by: "admin",
  answers: done,
  refuses: ["PROPOSAL_CHANGED"],
});
