import type { Circumstances, Command } from "./model/commands.ts";
import { markOf, whatIsDue } from "./model/payouts.ts";
import { keyOf, type Row, type State } from "./model/state.ts";

/** What its giver reads before they give a command: as everything else, as it was when the burst began. */
export function shownFor(
  command: Command,
  state: State,
): Pick<Circumstances, "shown" | "disputes" | "proposed" | "hold" | "row"> {
  const at = "payout" in command ? command.payout : command.do === "settle" ? whatIsDue(state)?.i : undefined;
  const one = at === undefined ? undefined : state.payouts[at];
  const [hold] = state.holds;
  return {
    shown: one === undefined ? null : markOf(one),
    disputes: state.disputes.length,
    proposed: state.ruling,
    row: turned(command, state)?.id ?? null,
    hold: hold === undefined ? null : keyOf(hold),
  };
}

/** The payment that the provider takes back, or lists at last: the first for which that is something new. */
function turned({ do: what }: Command, { rows }: State): Row | undefined {
  if (what === "list") return rows.find(({ listed }) => !listed);
  if (what !== "reverse") return undefined;
  return rows.find(({ failed, foreign, reversed }) => !failed && foreign === null && reversed === "no");
}
