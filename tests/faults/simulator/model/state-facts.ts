import type { Admin, Dispute, Party, Payout, Rules, State } from "./state.ts";

/** What follows from the state of a trade, and the changes of it that several commands make. */

const beforePayment = [
  "initiated",
  "payment_initiated",
  "payment_pending",
  "payment_processing",
  "payment_failed",
];

export const unpaid = ({ status }: State): boolean => beforePayment.includes(status);
export const other = (party: Party): Party => (party === "buyer" ? "seller" : "buyer");

/** Whether the payment window is over; within the very minute in which it ends, it may be. */
export function windowOver({ windowDue, minute }: State): boolean[] {
  if (windowDue === null || minute < windowDue) return [false];
  return minute === windowDue ? [false, true] : [true];
}

/** Money of the trade itself that has left, or may have. */
export function moneySent({ payouts }: State): boolean {
  return payouts.some(
    ({ source, state }) => source === "escrow" && ["sent", "done", "unknown"].includes(state),
  );
}

/** Whether no end and no outgoing step of the trade takes effect. */
export function onHold({ holds, payouts }: Pick<State, "holds" | "payouts">): boolean {
  return holds.length > 0 || payouts.some(({ state }) => state === "unknown");
}

/** Whether so much of one trade moves only by two administrators. */
export const needsTwo = (total: number, { fourEyesAbove }: Rules): boolean =>
  fourEyesAbove !== null && total > fourEyesAbove;

/** Whether Midman holds any money of the trade: in escrow, or in suspense until its refund has left. */
export function isMoneyHere({ held, payouts }: State): boolean {
  return (
    held > 0 ||
    payouts.some(({ source, state, posted }) => source !== "escrow" && state !== "void" && !posted)
  );
}

/** What all records of a trade give to people together, void ones left out. */
export function outgoingTotal({ payouts }: State): number {
  return payouts.reduce((total, { state, amount }) => total + (state === "void" ? 0 : amount), 0);
}

/** The dispute under way. */
export function openCase({ disputes }: State): Dispute | undefined {
  return disputes.find(({ outcome }) => outcome === null);
}

/** The buyer's part by a split that stands. */
export function splitInForce(dispute: Dispute | undefined): number | null {
  if (dispute?.outcome === "split") return dispute.part;
  return dispute?.outcome === "withdrawn" ? dispute.earlierSplit : null;
}

/** The same state with the dispute under way changed. */
export function inCase(state: State, change: Partial<Dispute>): State {
  const disputes = state.disputes.map((one) => (one.outcome === null ? { ...one, ...change } : one));
  // A proposed ruling waits for the case that it is of.
  const over = disputes.every(({ outcome }) => outcome !== null);
  return { ...state, disputes, ruling: over ? null : state.ruling };
}

/** The same state with one of its payouts changed. */
export function inPayout(state: State, at: number, change: Partial<Payout>): State {
  return { ...state, payouts: state.payouts.map((one, i) => (i === at ? { ...one, ...change } : one)) };
}

/** The end of a trade; a dispute under way ends with it. */
export function ended(
  state: State,
  status: "completed" | "cancelled",
  end: string,
  dispute = "admin",
): State {
  const over = { status, end, endedIn: state.minute, windowDue: null, ruling: null };
  return inCase({ ...state, ...over }, { outcome: dispute });
}

/** The second administrator was dismissed and made one again: what they approved or proposed before counts no more. */
export function afterDismissal(state: State): State {
  const lapse = <T extends { by: Admin; lapsed: boolean } | null>(proposal: T): T =>
    proposal?.by === 1 ? { ...proposal, lapsed: true } : proposal;
  return {
    ...state,
    proposal: lapse(state.proposal),
    ruling: lapse(state.ruling),
    holds: state.holds.map((one) => ({ ...one, proposal: lapse(one.proposal) })),
    payouts: state.payouts.map((one) => {
      const given = one.approvedBy === 1 || one.firstApprovedBy === 1;
      return given ? { ...one, lapsed: true } : one;
    }),
  };
}
