import type { Account, Payout, Row, Rules, State } from "./state.ts";
import { unpaid } from "./state.ts";

const due = (parts: Pick<Payout, "kind" | "source" | "amount" | "fee" | "account">): Payout => ({
  ...parts,
  state: "due",
  approvedBy: null,
  claimedBy: null,
  fourEyes: false,
  posted: false,
  reference: null,
  referenceMissing: false,
  replacedBy: null,
});

/** A fresh due record in the place of one whose transfer did not happen. */
export function anew(payout: Payout): Payout {
  return due(payout);
}

/** The seller's money becomes due: the net, or what there is of it. */
export function payoutDue(state: State): State {
  if (state.held === 0) return state;
  const amount = Math.min(state.net, state.held);
  const record = { kind: "payout", source: "escrow", amount, fee: state.held - amount } as const;
  return { ...state, payouts: [...state.payouts, due({ ...record, account: state.bank.at(-1) ?? null })] };
}

/** By a split: the buyer's part, and the rest of what is held without the fee. */
export function splitDue(state: State, part: number | null): State {
  if (part === null) return payoutDue(state);
  const { held, fee, refundTo } = state;
  const escrow = { source: "escrow" } as const;
  return {
    ...state,
    payouts: [
      ...state.payouts,
      due({ kind: "payout", ...escrow, amount: held - fee - part, fee, account: state.bank.at(-1) ?? null }),
      due({ kind: "refund", ...escrow, amount: part, fee: 0, account: refundTo }),
    ],
  };
}

/** What the buyer gets back of what is held, and what is kept of it by the policy in force. */
export function refundSums({ held, fee, confirmed }: State, { feePolicy }: Rules, whole = false) {
  const kept = feePolicy === "terms" && confirmed && !whole ? fee : 0;
  return { amount: held - kept, fee: kept };
}

/** What is held becomes due back to the buyer. */
export function refundDue(state: State, rules: Rules, whole = false): State {
  if (state.held === 0) return state;
  const record = { kind: "refund", source: "escrow", account: state.refundTo } as const;
  return { ...state, payouts: [...state.payouts, due({ ...record, ...refundSums(state, rules, whole) })] };
}

/** Whatever is due or approved of the trade's own money is void. */
export function voidDue(state: State): State {
  const live = ({ source, state: at }: Payout) => source === "escrow" && (at === "due" || at === "approved");
  return {
    ...state,
    payouts: state.payouts.map((one) => (live(one) ? { ...one, state: "void" as const } : one)),
  };
}

/** New money: to the trade up to what is owed, the rest to suspense with a refund due. */
export function bookMoney(state: State, source: string, amount: number): State {
  const owed = state.end === null ? state.gross : 0;
  const own = Math.min(amount, Math.max(0, owed - state.received));
  const booked = { ...state, held: state.held + own, received: state.received + own };
  if (own === amount) return booked;
  const excess = { kind: "refund", source, amount: amount - own, fee: 0, account: state.refundTo } as const;
  return { ...booked, payouts: [...booked.payouts, due(excess)] };
}

/** A row of the provider is booked, once; it meets a confirmation by hand of the same sum, if there is one. */
export function bookRow(state: State, row: Row): State {
  const rows = state.rows.map((one) => (one.id === row.id ? { ...one, booked: true } : one));
  const hand = state.hands.findIndex(({ amount, matched }) => amount === row.amount && matched === null);
  if (hand >= 0) {
    const hands = state.hands.map((one, i) => (i === hand ? { ...one, matched: row.id } : one));
    return { ...state, rows, hands };
  }
  return bookMoney({ ...state, rows }, `row:${row.id}`, row.amount);
}

/** After booking, the trade follows what is held. */
export function followMoney(state: State): State {
  if (!unpaid(state) || state.held === 0) return state;
  if (state.held < state.gross) return { ...state, status: "payment_processing" };
  return { ...state, status: "payment_confirmed", confirmed: true, windowDue: null };
}

/** The rows of these ids that are not booked yet, in the order in which the provider's answer is booked. */
export function freshRows(state: State, ids: readonly string[]): Row[] {
  return state.rows.filter(({ id, failed, booked }) => ids.includes(id) && !failed && !booked);
}

/** Where money of a kind goes now. */
export function redirected(state: State, kind: "payout" | "refund", account: Account): State {
  const moves = (one: Payout) => one.kind === kind && one.state === "due";
  return { ...state, payouts: state.payouts.map((one) => (moves(one) ? { ...one, account } : one)) };
}
