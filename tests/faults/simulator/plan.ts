import fc from "fast-check";
import { catalogue } from "./catalogue.ts";
import { advance, type Next } from "./model/advance.ts";
import type { Circumstances, Command } from "./model/commands.ts";
import { refundSums } from "./model/money.ts";
import type { Outcome } from "./model/parties.ts";
import { born, type Payer, type Rules, type State } from "./model/state.ts";
import { afterDismissal } from "./model/state-facts.ts";
import { shownFor } from "./shown.ts";

/** A command as it is to be given: at which of the two instances, and how many ms after the burst begins. */
export type Given = { command: Command; on: 0 | 1; after: number };
/** Commands that are given at once; before them time passes (minutes). */
export type Burst = Given[];
export type TradePlan = { amount: number; payer: Payer; bursts: Burst[] };
/**
 * Time before each burst (minutes), whether the administrators let their login go stale, whether the second of them was dismissed
 * meanwhile and made one again, whether money is halted.
 */
export type Hour = { passes: number; stale: boolean; dismissed: boolean; halted: boolean };
/** Several trades side by side in one world, and the time they share. */
export type Plan = { hours: Hour[]; trades: TradePlan[] };

/** What a roll of the dice asks for: what makes sense next, what could have been done instead, the same again, or anything. */
type Roll = { dice: number; for: "next" | "instead" | "again" | "anything"; on: 0 | 1; after: number };
export type Rolled = { hours: Hour[]; trades: Array<{ amount: number; payer: Payer; bursts: Roll[][] }> };

const weighted = <T>(...choices: Array<[number, T]>) =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

const roll: fc.Arbitrary<Roll> = fc.record({
  dice: fc.noShrink(fc.nat()),
  for: fc.noShrink(weighted<Roll["for"]>([9, "next"], [6, "instead"], [2, "again"], [3, "anything"])),
  on: fc.constantFrom(0, 1),
  after: weighted([6, 0], [1, 1], [1, 3], [1, 8], [1, 20]),
});

const hour: fc.Arbitrary<Hour> = fc.record({
  passes: weighted([9, 0], [2, 1], [2, 11], [1, 31], [1, 90], [1, 120], [1, 121], [1, 6 * 60], [1, 25 * 60]),
  stale: weighted([9, false], [1, true]),
  dismissed: weighted([11, false], [1, true]),
  halted: weighted([19, false], [1, true]),
});

/** The bursts of a plan, at most. */
const MOST_BURSTS = 9;

/**
 * What plans for so many trades are made of: rolls of the dice. They shrink by losing bursts, commands and time; a trade that has
 * lost all its bursts is left out.
 */
export function rolls(trades: number): fc.Arbitrary<Rolled> {
  const trade = fc.record({
    amount: fc.constantFrom(20_000, 50_000, 60_000, 100_000),
    payer: weighted<Payer>([3, "buyer"], [1, "seller"], [1, "split"]),
    bursts: fc.array(fc.array(roll, { minLength: 1, maxLength: 6, size: "max" }), {
      maxLength: MOST_BURSTS,
      size: "max",
    }),
  });
  // Without bias, which would make most plans short: it is shrinking that makes them so.
  return fc.noBias(
    fc.record({
      hours: fc.array(hour, { maxLength: MOST_BURSTS, size: "max" }),
      trades: fc.array(trade, { minLength: trades, maxLength: trades, size: "max" }),
    }),
  );
}

/** Turns the rolls into commands by what the model foresees, so that a plan says all there is to say. */
export function resolved({ hours, trades }: Rolled, rules: Rules): Plan {
  return { hours, trades: trades.map((trade) => ({ ...trade, bursts: foreseen(trade, hours, rules) })) };
}

function foreseen({ amount, payer, bursts }: Rolled["trades"][number], hours: Hour[], rules: Rules): Burst[] {
  let state = born(amount, payer, 0, rules);
  return bursts.map((rolls, b) => {
    state = { ...state, minute: state.minute + (hours[b]?.passes ?? 0) };
    if (hours[b]?.dismissed) state = afterDismissal(state);
    const before = state;
    const burst: Burst = [];
    for (const one of rolls) {
      const command = choose(one, { now: state, before, burst }, rules);
      burst.push({ command, on: one.on, after: one.after });
      state = foresee(state, command, rules);
    }
    return burst;
  });
}

type Seen = { now: State; before: State; burst: Burst };

/** What can be given without end, and would be most of a plan: at most twice in a burst. */
const endless: Array<Command["do"]> = ["invoice", "pay"];

/** Refusals that guard money or a person's part in it: what is tried in vain is tried there, more than elsewhere. */
const telling = new Set([
  ...[
    "PAYOUT_CLAIMED",
    "FOUR_EYES_REQUIRED",
    "BANK_REFERENCE_USED",
    "PAYOUT_UNKNOWN_OPEN",
    "PAYOUT_APPROVED",
    "TRADE_ON_HOLD",
    "ACCOUNT_JUST_CORRECTED",
    "APPROVAL_LAPSED",
    "PROPOSER_NOT_ADMIN",
  ],
  ...[
    "MONEY_ALREADY_SENT",
    "MONEY_BOOKED",
    "DISPUTE_TAKEN",
    "DISPUTE_NOT_YOURS",
    "SUM_DIFFERS",
    "PROPOSAL_DIFFERS",
  ],
  ...["CANCELLATION_PENDING", "BANK_INFO_FINAL", "REFUND_DESTINATION_FINAL", "PAYMENT_ALREADY_BOOKED"],
]);

/** Each command's own luck decides, so that what is left out of a plan while it shrinks moves nothing else. */
function choose({ dice, for: wanted }: Roll, { now, before, burst }: Seen, rules: Rules): Command {
  const last = burst.at(-1)?.command;
  if (wanted === "again" && last !== undefined) return last;
  const state = wanted === "next" ? now : before;
  const possible = catalogue(state, dice).filter(([weight]) => weight > 0);
  const all = possible.map(([weight, command]) => ({
    command,
    luck: luckOf(dice, command) ** (1 / weight),
  }));
  all.sort((a, b) => b.luck - a.luck);
  const sensible = all.find(({ command }) => {
    if (endless.includes(command.do) && burst.filter((one) => one.command.do === command.do).length > 1)
      return false;
    // Nobody can pay what was not shown to them before the burst.
    if (command.do === "pay" && before.invoice === null) return false;
    if (wanted === "anything") return telling.has(refusalOf(state, command, rules) ?? "") || dice % 2 === 0;
    return foresee(state, command, rules) !== state;
  });
  return sensible?.command ?? { do: "look", by: "buyer" };
}

function luckOf(dice: number, command: Command): number {
  return (Number(Bun.hash(`${dice} ${JSON.stringify(command)}`) % 1_000_003n) + 1) / 1_000_004;
}

/** The state after a command that nothing else came between; the same one when it would change nothing. */
function foresee(state: State, command: Command, rules: Rules): State {
  const { state: now, refused } = foretold(state, command, rules);
  if (refused !== undefined) return state;
  if (command.do === "pay" && command.callbacks > 0 && command.how === "plain")
    return foresee(now, { do: "verify", by: "buyer" }, rules);
  return JSON.stringify(now) === JSON.stringify(state) ? state : now;
}

/** Why a command would be refused, if it would. */
function refusalOf(state: State, command: Command, rules: Rules): string | undefined {
  return foretold(state, command, rules).refused;
}

/** What comes of a command in the end by the model. */
function foretold(state: State, command: Command, rules: Rules): Outcome {
  const how: Circumstances = {
    ...{ fresh: true, halted: [false], told: state.rows.map(({ id }) => id), reversed: reversedIn(state) },
    ...figuresFor(command, state, rules),
    ...shownFor(command, state),
    invoice: command.do === "invoice" ? `foreseen ${state.invoice}` : null,
    paid: [],
    paidFor: state.invoice,
    requestedAt: "foreseen",
  };
  if (command.do === "pay")
    how.paid = [{ id: `foreseen ${state.rows.length}`, amount: how.sum, place: state.rows.length }];
  let now = placed(state);
  for (let step: number | undefined = 0; step !== undefined; ) {
    const all: Next[] = advance(now, command, how, rules, step);
    // The model allows a lease that ran out everywhere; nobody foresees one.
    const next = all.findLast(({ refused }) => refused !== "INVOICING_BUSY");
    if (next === undefined || next.refused !== undefined) return { state, refused: next?.refused ?? "" };
    now = next.state;
    step = next.next;
  }
  return { state: now };
}

const reversedIn = ({ rows }: State) => rows.filter(({ reversed }) => reversed !== "no").map(({ id }) => id);

/** A payment that came before somebody proposed to confirm one of its sum by hand will meet that. */
function placed(state: State): State {
  const rows = state.rows.map((row, place) => {
    const meets = state.hands.some(
      (one) => one.amount === row.amount && one.matched === null && !one.met && row.paidIn <= one.proposedIn,
    );
    return row.booked ? row : { ...row, place: meets ? -1 : place };
  });
  return rows.length === 0 ? state : { ...state, rows };
}

/** The sums that somebody would type who sees the trade in this state. */
export function figuresFor(command: Command, state: State, rules: Rules): { sum: number; part: number } {
  const { gross, net, fee, held } = state;
  if (command.do === "amend" || command.do === "create") return { sum: command.amount, part: 0 };
  if (command.do === "by-hand") return { sum: command.part ? Math.floor(gross / 3) : gross, part: 0 };
  if (command.do === "pay") {
    const sums = {
      all: gross,
      part: Math.floor(gross / 3),
      rest: gross - held || gross,
      over: gross + 7_000,
    };
    return { sum: sums[command.sum], part: 0 };
  }
  if (command.do === "pay-seller") return { sum: Math.min(net, held) + (command.wrong ? 1 : 0), part: 0 };
  if (command.do === "confirm-ruling") return { sum: state.ruling?.sum ?? 0, part: 0 };
  if (command.do !== "rule") return { sum: 0, part: 0 };
  const part = Math.max(1, Math.floor(((held - fee) * command.quarter) / 4));
  const sums = { release: Math.min(net, held), refund: refundSums(state, rules).amount, split: part };
  return { sum: sums[command.ruling] + (command.wrong ? 1 : 0), part };
}
