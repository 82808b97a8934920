import type { Command, Dispute, Status, Trade, Who } from "./trade-types.ts";

/** One line of a table: what is special, the state, how the trade differs, who gives which command, and the outcome. */
export type Circumstance = [string, Status, Partial<Trade>, Who, Command, string];

/** A dispute of the party `openedBy`, opened in the state `from`. */
export const disputeBy = (
  openedBy: "buyer" | "seller",
  from: Dispute["from"],
  outcome: Dispute["outcome"] = null,
): Dispute => ({
  openedBy,
  from,
  outcome,
  refundAmount: outcome === "split" ? 30_000 : null,
  earlierSplit: null,
});
