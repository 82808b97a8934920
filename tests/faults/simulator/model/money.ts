import type { Account, Hold, HoldReason, Payout, Row, Rules, State } from "./state.ts";
import { ended, isMoneyHere, moneySent, onHold, unpaid } from "./state-facts.ts";

const due = (parts: Pick<Payout, "kind" | "source" | "amount" | "fee" | "account">): Payout => ({
  ...parts,
  state: "due",
  approvedBy: null,
  firstApprovedBy: null,
  correctedIn: null,
  claimedBy: null,
  claimedIn: null,
  takenOverFrom: null,
  lapsed: false,
  sentBy: null,
  unknownBy: null,
  reportedBy: null,
  reportedReference: null,
  fourEyes: false,
  posted: false,
  reference: null,
  referenceMissing: false,
  replacedBy: null,
});

/** A fresh due record in the place of one whose transfer did not happen. */
export function anew({ kind, source, amount, fee, account, correctedIn }: Payout): Payout {
  return { ...due({ kind, source, amount, fee, account }), correctedIn };
}

/** The seller's share, to the account they named last. */
function toSeller({ bank, bankCorrectedIn }: State, amount: number, fee: number): Payout {
  const record = { kind: "payout", source: "escrow", account: bank.at(-1) ?? null } as const;
  return { ...due({ ...record, amount, fee }), correctedIn: bankCorrectedIn };
}

/** The seller's money becomes due: the net, or what there is of it. */
export function payoutDue(state: State): State {
  if (state.held === 0) return state;
  const amount = Math.min(state.net, state.held);
  return { ...state, payouts: [...state.payouts, toSeller(state, amount, state.held - amount)] };
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
      toSeller(state, held - fee - part, fee),
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

/** New money: to the trade up to what is owed, the rest to suspense with a refund due. A hidden trade is shown again. */
export function bookMoney(
  state: State,
  source: string,
  amount: number,
  owed = state.end === null ? state.gross : 0,
): State {
  const own = Math.min(amount, Math.max(0, owed - state.received));
  const booked = { ...state, held: state.held + own, received: state.received + own, hidden: false };
  if (own === amount) return booked;
  const excess = { kind: "refund", source, amount: amount - own, fee: 0, account: state.refundTo } as const;
  return { ...booked, payouts: [...booked.payouts, due(excess)] };
}

/**
 * A row of the provider is booked, once. By rule it is the money of a confirmation by hand of the same sum that was proposed after it
 * was paid; of one proposed before it is a second payment, which belongs to nobody until people have told the two apart. Nothing where
 * it cannot have been booked as it was found.
 */
export function bookRow(state: State, row: Row): State | null {
  const rows = state.rows.map((one) => (one.id === row.id ? { ...one, booked: true } : one));
  const same = state.hands.filter(
    ({ amount, matched, met }) => amount === row.amount && matched === null && !met,
  );
  const late = state.endedIn !== null && row.paidIn > state.endedIn;
  // Within one minute nobody can tell which was first: what was found says so.
  const unclear = state.endedIn === row.paidIn;
  const meets = late ? undefined : same.find(({ proposedIn }) => row.paidIn <= proposedIn);
  if (row.place === -1) {
    if (meets === undefined) return null;
    return {
      ...state,
      rows,
      hands: state.hands.map((one) => (one === meets ? { ...one, matched: row.id } : one)),
    };
  }
  if (!unclear && !late && same.some(({ proposedIn }) => row.paidIn < proposedIn)) return null;
  if (same.length === 0) {
    const booked = bookMoney({ ...state, rows }, `row:${row.id}`, row.amount);
    return { ...booked, own: { ...state.own, [row.id]: booked.received - state.received } };
  }
  const held = bookMoney({ ...state, rows }, `row:${row.id}`, row.amount, 0);
  return withHold(held, { reason: "SECOND_PAYMENT", row: row.id, hand: same[0]?.reference ?? null });
}

/** The same with one more reason of its hold, or as it is where that is open already. */
export function withHold(
  state: State,
  { reason, row, hand = null }: Pick<Hold, "reason" | "row"> & Partial<Hold>,
): State {
  if (state.holds.some((one) => one.reason === reason && one.row === row)) return state;
  return { ...state, holds: [...state.holds, { reason, row, hand, proposal: null }] };
}

/** That the provider has taken these payments back holds the trade. */
export function holdReversed(state: State, ids: readonly string[]): State {
  const found = state.rows.filter(({ id, reversed }) => ids.includes(id) && reversed === "unknown");
  const rows = state.rows.map((row) => (found.includes(row) ? { ...row, reversed: "known" as const } : row));
  return found.reduce((now, { id }) => withHold(now, { reason: "PAYMENT_REVERSED", row: id }), {
    ...state,
    rows,
  });
}

/**
 * What the provider's answers may say at any time and hold the trade by: a row of another invoice, once; a payment that was announced,
 * and an invoice that is paid, while the list lags. The second ends once the payment is listed, the third once any payment of the invoice is.
 */
export function holdsByItself(state: State): State[] {
  const next: State[] = [];
  const open = (reason: HoldReason, row: string) => {
    const held = withHold(state, { reason, row });
    if (held !== state) next.push(held);
  };
  const over = (reason: HoldReason, row: string) => {
    const holds = state.holds.filter((one) => one.reason !== reason || one.row !== row);
    if (holds.length < state.holds.length) next.push({ ...state, holds });
  };
  for (const row of state.rows) {
    if (row.foreign !== null && (row.reported === "no" || (row.reported === "again" && isMoneyHere(state)))) {
      const rows = state.rows.map((one) => (one === row ? { ...one, reported: "yes" as const } : one));
      next.push(withHold({ ...state, rows }, { reason: "FOREIGN_INVOICE", row: row.id }));
    }
    if (row.announced && row.callbacks) open("PAYMENT_ANNOUNCED", row.id);
    if (row.announced && row.listed) over("PAYMENT_ANNOUNCED", row.id);
    if (row.invoice === null || row.failed || row.foreign !== null) continue;
    // Also a payment that nobody has asked about since may be what the provider says when the invoice is withdrawn.
    if (!row.booked) open("PAID_UNLISTED", row.invoice);
    if (row.listed) over("PAID_UNLISTED", row.invoice);
  }
  return next;
}

/** A paid trade of whose money the provider took some back cannot go on once nothing holds it: what is left goes back. */
export function endIfShort(state: State, rules: Rules): State {
  const mayEnd = state.end === null && state.confirmed && !onHold(state) && !moneySent(state);
  if (!mayEnd || state.received >= state.gross) return state;
  return refundDue(ended(voidDue(state), "cancelled", "admin"), rules, true);
}

/** After booking, the trade follows what is held. */
export function followMoney(state: State): State {
  if (!unpaid(state) || state.held === 0) return state;
  if (state.held < state.gross) return { ...state, status: "payment_processing", locked: true };
  return { ...state, status: "payment_confirmed", confirmed: true, locked: true, windowDue: null };
}

/** The rows of these ids that are not booked yet, in the order in which the provider's answer is booked. */
export function freshRows(state: State, ids: readonly string[]): Row[] {
  // What was taken back before anybody asked was never to be booked.
  const gone = ({ reversed, place }: Row) => reversed !== "no" && place === null;
  return state.rows.filter(
    (row) => ids.includes(row.id) && !row.failed && !row.booked && row.foreign === null && !gone(row),
  );
}

/** Where money of a kind goes now. */
export function redirected(state: State, kind: "payout" | "refund", account: Account): State {
  const payouts = state.payouts.map((one, at): Payout => {
    if (one.kind !== kind || one.state !== "due" || one.account === account) return one;
    if (one.account === null) return { ...one, account };
    // Another account than the one on record: of a payout, or of what replaces a transfer, it takes two and three hours.
    const replaces = state.payouts.some(({ replacedBy }) => replacedBy === at);
    const correctedIn = kind === "payout" || replaces ? state.minute : one.correctedIn;
    return { ...one, account, correctedIn, firstApprovedBy: null, lapsed: false };
  });
  return { ...state, payouts };
}
