import * as admins from "./admins.ts";
import type { Circumstances, Command } from "./commands.ts";
import { bookRow, followMoney, refundDue } from "./money.ts";
import * as parties from "./parties.ts";
import { fine, no, type Outcome } from "./parties.ts";
import * as payouts from "./payouts.ts";
import { ended, type Row, type Rules, type State, unpaid, windowOver } from "./state.ts";

/** What may come of a command's next step: it is over, refused or not, or goes on to its `next` step. */
export type Next = Outcome & { next?: number };

/**
 * What the next step of a command may come to. Most take effect at one instant. What is asked of the provider meanwhile books
 * what `byItself` may book at any time.
 */
export function advance(state: State, given: Command, how: Circumstances, rules: Rules, step = 0): Next[] {
  switch (given.do) {
    case "amend":
      return [...parties.amend(state, given.by, how.sum, given.payer, rules), ...no(state, "INVOICING_BUSY")];
    case "withdraw":
      return [...parties.withdraw(state, given.by), ...no(state, "INVOICING_BUSY")];
    case "invoice":
      return invoicing(state, how);
    case "pay":
      return fine(paid(state, given, how));
    case "verify":
      return given.by === "seller" ? no(state, "BUYER_ONLY") : parties.checked(state, how.told);
    case "mark-paid":
      if (step > 0) return parties.checked(state, how.told);
      return parties
        .markPaid(state, given.by)
        .map((so) => (so.refused !== undefined || so.state.confirmed ? so : { ...so, next: 1 }));
    default:
      return atOnce(state, given, how, rules);
  }
}

function invoicing(state: State, { invoice }: Circumstances): Next[] {
  const refused = parties.mayInvoice(state).filter((so) => so.refused !== undefined);
  if (invoice !== null) return parties.showInvoice(state, invoice);
  // Whoever ends the invoice meanwhile has it closed; whoever makes one for long keeps others waiting.
  return [...refused, ...no(state, "INVOICE_CLOSED"), ...no(state, "INVOICING_BUSY")];
}

/** Payments stand at the provider; the trade has not heard of them yet. */
function paid(state: State, given: Extract<Command, { do: "pay" }>, { paid: rows }: Circumstances): State {
  const more = rows.map((row) => ({ ...row, failed: given.failed, booked: false }));
  const all = [...state.rows, ...more].sort(byPlace);
  return { ...state, rows: all, heard: state.heard || (given.callbacks > 0 && more.length > 0) };
}

/** In the order in which they were booked. */
export function byPlace(a: Row, b: Row): number {
  return (a.place ?? 1e9) - (b.place ?? 1e9) || (a.id < b.id ? -1 : 1);
}

function atOnce(state: State, given: Command, how: Circumstances, rules: Rules): Outcome[] {
  switch (given.do) {
    case "look":
      return fine(state);
    case "create":
      return parties.create(state, given.by, how.sum, given.payer);
    case "hand-over":
      return parties.handOver(state, given.by);
    case "complete":
      return parties.confirm(state, given.by);
    case "cancel":
      return parties.requestCancel(state, given.by, rules);
    case "withdraw-cancel":
      return parties.withdrawCancel(state, given.by);
    case "dispute":
      return parties.dispute(state, given.by);
    case "withdraw-dispute":
      return parties.withdrawDispute(state, given.by);
    case "bank-info":
      return parties.bankInfo(state, given.by, given.account);
    case "refund-destination":
      return parties.refundDestination(state, given.by, given.account);
    default:
      return byAdmin(state, given, how, rules);
  }
}

function byAdmin(state: State, given: Command, how: Circumstances, rules: Rules): Outcome[] {
  switch (given.do) {
    case "take":
      return admins.take(state, given.admin);
    case "give-back":
      return admins.giveBack(state, given.admin);
    case "rule":
      return admins.rule(state, given, how, rules);
    case "pay-seller":
      return admins.paySeller(state, given.admin, how);
    case "admin-cancel":
      return admins.cancel(state, given.admin, how, rules);
    case "admin-complete":
      return admins.complete(state, given.admin, how, rules);
    case "hide":
      return admins.hide(state, given.admin);
    case "by-hand":
      return admins.byHand(state, given, how);
    default:
      return onPayout(state, given, how, rules);
  }
}

const steps = {
  approve: payouts.approve,
  claim: payouts.claim,
  "withdraw-approval": payouts.withdrawApproval,
  send: payouts.send,
  done: payouts.seen,
  unknown: payouts.doubt,
  "found-sent": payouts.foundSent,
  "not-sent": payouts.foundUnsent,
} as const;
const needFreshLogin = ["settle", "approve", "claim", "send", "found-sent", "not-sent"];

function onPayout(state: State, given: Command, how: Circumstances, rules: Rules): Outcome[] {
  if (!("admin" in given)) throw new Error(`the model knows no ${given.do}`);
  if (needFreshLogin.includes(given.do) && !how.fresh) return no(state, "REAUTH_REQUIRED");
  const reference = "reference" in given ? given.reference : null;
  const step = { admin: given.admin, reference, how, rules, over: "over" in given && given.over };
  if (given.do === "settle") return payouts.moneyLeft(payouts.settle(state, step));
  if (!("payout" in given)) throw new Error(`the model knows no ${given.do}`);
  if (state.payouts[given.payout] === undefined) return no(state, "PAYOUT_NOT_FOUND");
  return payouts.moneyLeft(steps[given.do](state, given.payout, step));
}

/**
 * What may happen by itself at any time: a payment of the provider's is booked, its answer moves the trade, the payment window
 * ends the trade. Callbacks, checks and sweeps are jobs, and nobody waits for them.
 */
export function byItself(state: State, rules: Rules): State[] {
  const next: State[] = [];
  const waiting = state.rows.filter(({ booked, failed, place }) => !booked && !failed && place !== null);
  const first = waiting.find(({ place }) => place !== -1);
  for (const row of waiting) {
    if (row === first || row.place === -1) next.push(followMoney(bookRow(state, row)));
  }
  if (!unpaid(state)) return next;
  if (state.held === 0 && state.rows.some(({ failed }) => failed) && state.status !== "payment_failed") {
    next.push({ ...state, status: "payment_failed" });
  }
  if (state.held === 0 && state.heard && !["initiated", "payment_pending"].includes(state.status)) {
    next.push({ ...state, status: "payment_pending" });
  }
  if (windowOver(state).includes(true))
    next.push(refundDue(ended(state, "cancelled", "expired"), rules, true));
  return next;
}
