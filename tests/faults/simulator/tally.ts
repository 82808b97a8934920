import type { Plan } from "./plan.ts";
import type { Played } from "./play.ts";

/** Counts what was played: enough to see that plans come deep, and that many things were refused as well as done. */
export function tally(counts: Record<string, number>, plan: Plan, trades: readonly Played[]): void {
  const add = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  add("plans");
  for (const trade of trades) {
    add("histories");
    add("commands", trade.done.length);
    add("refused", trade.done.filter(({ refused }) => refused !== null).length);
    add(`ended ${trade.seen.status}`);
    for (const { command, refused } of trade.done) {
      if (refused === null) add(`did ${command.do}`);
      if (command.do === "pay") add("callbacks", command.callbacks * command.times);
    }
    add("transfers", trade.seen.payouts.filter(({ posted, state }) => posted && state !== "void").length);
  }
  add(
    "interleavings",
    trades.reduce((sum, { races }) => sum + races, 0),
  );
  add(
    "minutes",
    plan.hours.reduce((sum, { passes }) => sum + passes, 0),
  );
}
