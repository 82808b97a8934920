import type { Command } from "./model/commands.ts";
import type { Account, Admin, HoldOutcome, HoldReason, Party, State } from "./model/state.ts";
import { unpaid } from "./model/state-facts.ts";

/** Every command that can be given to a trade, with how likely it is; whatever it leaves open is decided by the dice. */
export function catalogue(state: State, dice: number): Array<[number, Command]> {
  const admin: Admin = dice % 2 === 0 ? 0 : 1;
  const party: Party = (dice >> 1) % 2 === 0 ? "buyer" : "seller";
  const account: Account = (dice >> 2) % 4 === 0 ? "B" : "A";
  // Now and then the same number of the bank's for two transfers.
  const number = `N${(dice >> 4) % 8 === 0 ? 0 : state.payouts.length}`;
  return [
    ...ofParties(dice, party, account),
    ...ofMoney(dice, state),
    ...ofAdmins(dice, admin, number, state),
    ...state.payouts.flatMap((_, payout) => onPayout(dice, admin, payout)),
  ];
}

function ofParties(dice: number, party: Party, account: Account): Array<[number, Command]> {
  const amount = [20_000, 50_000, 60_000, 100_000][(dice >> 5) % 4] ?? 20_000;
  return [
    [0.3, { do: "create", by: "seller", amount, payer: "buyer" }],
    [0.4, { do: "amend", by: "seller", amount, payer: (dice >> 7) % 3 === 0 ? "seller" : "buyer" }],
    [0.1, { do: "withdraw", by: "seller" }],
    [1.5, { do: "verify", by: "buyer" }],
    [1, { do: "mark-paid", by: "buyer" }],
    [1, { do: "hand-over", by: "seller" }],
    [3, { do: "bank-info", by: "seller", account }],
    [3, { do: "refund-destination", by: "buyer", account }],
    [2, { do: "complete", by: "buyer" }],
    [2, { do: "complete", by: "seller" }],
    [0.5, { do: "cancel", by: party }],
    [0.5, { do: "withdraw-cancel", by: party }],
    [0.5, { do: "decline-cancel", by: party }],
    [1, { do: "dispute", by: party }],
    [0.4, { do: "withdraw-dispute", by: party }],
    [0.8, { do: "look", by: party }],
    // What only the other side may do.
    [0.05, { do: "verify", by: "seller" }],
    [0.05, { do: "hand-over", by: "buyer" }],
    [0.05, { do: "amend", by: "buyer", amount, payer: "buyer" }],
    [0.05, { do: "bank-info", by: "buyer", account }],
  ];
}

function ofMoney(dice: number, state: State): Array<[number, Command]> {
  const callbacks = (dice >> 6) % 6;
  const old = (dice >> 9) % 4 === 0;
  const party: Party = (dice >> 1) % 2 === 0 ? "buyer" : "seller";
  const { invoice, rows } = state;
  // What can be done again and again is done most of all where it leads on.
  const owing = unpaid(state) && rows.length === 0 ? 1 : 0.1;
  const once = { do: "pay", times: 1, failed: false, callbacks, old, how: "plain" } as const;
  const all: Array<[number, Command]> = [
    [3, { ...once, sum: "all" }],
    [1, { ...once, sum: "rest", old: false }],
    [0.6, { ...once, sum: "part" }],
    [0.3, { ...once, sum: "over" }],
    [0.3, { ...once, sum: "all", times: 2 }],
    [0.2, { ...once, sum: "all", failed: true }],
    [1, { ...once, sum: "all", how: "late", callbacks: callbacks % 3 }],
    [0.3, { ...once, sum: "part", how: "late", callbacks: callbacks % 3 }],
    [0.4, { ...once, sum: "all", how: "foreign", callbacks: 0 }],
    [0.5, { ...once, sum: "all", how: "twin", callbacks: callbacks % 2 }],
  ];
  const asking = unpaid(state) && invoice === null ? 5 : 0.2;
  const booked = rows.some(({ booked, reversed }) => booked && reversed === "no");
  const late = rows.some(({ listed }) => !listed);
  return [
    [booked ? 0.15 : 0, { do: "reverse" }],
    [late ? 1 : 0, { do: "list" }],
    [unpaid(state) ? 0.3 : 0.01, { do: "lose" }],
    [asking, { do: "invoice", by: party, fresh: (dice >> 8) % 3 === 0 }],
    ...all.map(([weight, command]): [number, Command] => [weight * owing, command]),
  ];
}

function ofAdmins(dice: number, admin: Admin, number: string, state: State): Array<[number, Command]> {
  const ending = unpaid(state) ? 0.1 : 1;
  const wrong = (dice >> 10) % 10 === 0;
  const quarter = ([1, 2, 3] as const)[(dice >> 11) % 3] ?? 1;
  const reference = `H${(dice >> 12) % 2}`;
  return [
    [1, { do: "take", admin }],
    [0.2, { do: "give-back", admin }],
    [0.7, { do: "rule", admin, ruling: "release", quarter, wrong }],
    [0.4, { do: "rule", admin, ruling: "refund", quarter, wrong }],
    [0.8, { do: "rule", admin, ruling: "split", quarter, wrong }],
    ...confirmations(admin, dice, state),
    [0.3, { do: "pay-seller", admin, wrong }],
    [0.2 * ending, { do: "admin-complete", admin }],
    [0.2 * ending, { do: "admin-cancel", admin }],
    [0.05, { do: "hide", admin }],
    [0.4 * ending, { do: "by-hand", admin, part: (dice >> 13) % 3 === 0, reference }],
    [1, { do: "settle", admin, reference: number }],
  ];
}

/** What one administrator proposed and the other may confirm. */
function confirmations(admin: Admin, dice: number, { ruling, holds }: State): Array<[number, Command]> {
  const all: Array<[number, Command]> = [];
  if (ruling !== null) all.push([2, { do: "confirm-ruling", admin }]);
  const [hold] = holds;
  if (hold !== undefined) {
    const taking = moving[hold.reason] ?? "dismissed";
    const likely = (dice >> 16) % 2 === 0 ? taking : "dismissed";
    all.push([1.5, { do: "resolve", admin, outcome: hold.proposal?.outcome ?? likely }]);
    all.push([0.3, { do: "resolve", admin, outcome: (dice >> 17) % 2 === 0 ? taking : "dismissed" }]);
  }
  return all;
}

/** By which word about a hold money moves. */
const moving: Partial<Record<HoldReason, HoldOutcome>> = {
  SECOND_PAYMENT: "same_payment",
  PAYMENT_REVERSED: "taken_back",
  FOREIGN_INVOICE: "booked",
};

function onPayout(dice: number, admin: Admin, payout: number): Array<[number, Command]> {
  const reference = `N${(dice >> 14) % 8 === 0 ? 0 : payout + 1}`;
  const over = (dice >> 15) % 2 === 0;
  return [
    [2, { do: "approve", admin, payout }],
    [0.5, { do: "claim", admin, payout, over }],
    [0.2, { do: "withdraw-approval", admin, payout, over }],
    [2, { do: "send", admin, payout, reference }],
    [1, { do: "done", admin, payout }],
    [0.4, { do: "unknown", admin, payout }],
    [1, { do: "found-sent", admin, payout, reference }],
    [0.7, { do: "not-sent", admin, payout }],
    [0.7, { do: "report", admin, payout, reference: `R${payout}` }],
  ];
}
