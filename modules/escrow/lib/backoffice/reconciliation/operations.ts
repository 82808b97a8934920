import { z } from "zod";
import { call } from "#calls";
import { done } from "../../trade/view/responses.ts";
import { moneyDesk, reconciliation, run } from "../treasury/responses.ts";

export const show = call({
  summary: "A day of ours against the provider's list",
  group: "Back office: money",
  by: "admin",
  answers: reconciliation,
});

export const compare = call({
  summary: "Compare a day with the provider's list",
  group: "Back office: money",
  by: "admin",
  answers: done.extend({ run: run }),
  refuses: ["DAY_AHEAD", "PROVIDER_UNAVAILABLE", "PROVIDER_REFUSED"],
});

export const resolveDifference = call({
  summary: "Say what was found out about a difference",
  group: "Back office: money",
  by: "admin",
  answers: done,
  refuses: ["OWN_TRADE"],
});

export const askAboutDifference = call({
  summary: "Ask the provider about a difference again",
  group: "Back office: money",
  by: "admin",
  answers: done,
  refuses: ["OWN_TRADE", "PROVIDER_UNAVAILABLE"],
});

export const desk = call({
  summary: "Money of no trade, and whether outgoing money is stopped",
  group: "Back office: money",
  by: "admin",
  answers: moneyDesk,
});

export const halt = call({
  summary: "Stop all outgoing money, or let it go on: one proposes that, another confirms it",
  group: "Back office: money",
  by: "freshAdmin",
  answers: done.extend({ halted: z.boolean().describe("Whether money is halted now.") }),
  refuses: ["FOUR_EYES_RELATED", "RECORD_ALTERED"],
});
