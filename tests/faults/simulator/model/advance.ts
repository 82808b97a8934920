import * as admins from "./admins.ts";
import type { Circumstances, Command } from "./commands.ts";
import * as doubtfulTransfers from "./doubtful-transfers.ts";
import * as holds from "./holds.ts";
import { bookRow, endIfShort, followMoney, holdReversed, holdsByItself, refundDue } from "./money.ts";
import * as parties from "./parties.ts";
import { fine, no, type Outcome } from "./parties.ts";
import * as payouts from "./payouts.ts";
import * as rulings from "./rulings.ts";
import type { Party, Row, Rules, State } from "./state.ts";
import { ended, onHold, unpaid, windowOver } from "./state-facts.ts";

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
      return invoicing(state, given.by, how);
    case "pay":
      return fine(paid(state, given, how));
    case "reverse":
      return fine(reverse(state, how.row));
    case "list":
      return fine(listed(state, how.row));
    case "lose":
      return fine(state);
    case "report":
      return reported(state, given, how, rules, step);
    case "verify":
      return given.by === "seller" ? no(state, "BUYER_ONLY") : parties.checked(state, how.told);
    case "mark-paid":
      if (step > 0) return parties.checked(state, how.told);
      return parties
        .markPaid(state, given.by)
        .map((so) => (so.refused !== undefined || so.state.confirmed ? so : { ...so, next: 1 }));
    case "admin-cancel":
    case "admin-complete":
      return ending(state, given, how, rules, step);
    default:
      return atOnce(state, given, how, rules);
  }
}

/** Before an administrator ends an unpaid trade the provider is asked: money that came in by it ends the step instead. */
function ending(state: State, given: Command, how: Circumstances, rules: Rules, step: number): Next[] {
  const now = atOnce(state, given, how, rules);
  if (step > 0) return [...now, ...(state.held > 0 ? no(state, "TRADE_OVERTAKEN") : [])];
  return unpaid(state) ? [...now, ...no(state, "INVOICING_BUSY"), { state, next: 1 }] : now;
}

function invoicing(state: State, by: Party, { invoice }: Circumstances): Next[] {
  const refused = parties.mayInvoice(state, by).filter((so) => so.refused !== undefined);
  if (invoice !== null) return parties.showInvoice(state, invoice, by);
  // Whoever ends the invoice meanwhile has it closed; whoever makes one for long keeps others waiting.
  // Anybody's next invoice may be the one whose creation reply is lost.
  const lost = no(state, "PROVIDER_UNAVAILABLE");
  return [...refused, ...lost, ...no(state, "INVOICE_CLOSED"), ...no(state, "INVOICING_BUSY")];
}

/** A report that was refused may come to hold the trade, in a transaction of its own. */
function reported(
  state: State,
  given: Extract<Command, { do: "report" }>,
  how: Circumstances,
  rules: Rules,
  step: number,
): Next[] {
  const { payout, admin, reference } = given;
  if (step > 0)
    return no(doubtfulTransfers.holdReported(state, payout, { admin, reference }), "PAYOUT_CONFLICT");
  return atOnce(state, given, how, rules).map((so) => {
    return so.refused === "PAYOUT_CONFLICT" ? { state: so.state, next: 1 } : so;
  });
}

/** Payments stand at the provider; the trade has not heard of them yet. */
function paid(
  state: State,
  given: Extract<Command, { do: "pay" }>,
  { paid: rows, paidFor }: Circumstances,
): State {
  const late = given.how === "late";
  const more = rows.map(
    (row): Row => ({
      ...row,
      invoice: paidFor,
      failed: given.failed,
      booked: false,
      listed: !late,
      announced: late || given.how === "twin",
      callbacks: given.callbacks > 0,
      foreign: given.how === "foreign" ? "here" : null,
      reported: "no",
      paidIn: state.minute,
      reversed: "no",
      undone: false,
    }),
  );
  const all = [...state.rows, ...more].sort(byPlace);
  return { ...state, rows: all, heard: state.heard || (given.callbacks > 0 && more.length > 0) };
}

function reverse(state: State, id: string | null): State {
  const row = state.rows.find((one) => one.id === id);
  if (row === undefined || row.failed || row.reversed !== "no") return state;
  return { ...state, rows: state.rows.map((one) => (one === row ? { ...one, reversed: "unknown" } : one)) };
}

function listed(state: State, id: string | null): State {
  return { ...state, rows: state.rows.map((row) => (row.id === id ? { ...row, listed: true } : row)) };
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
      return parties.confirm(state, given.by, how.disputes);
    case "cancel":
      return parties.requestCancel(state, given.by, rules);
    case "decline-cancel":
      return parties.declineCancel(state, given.by, how);
    case "withdraw-cancel":
      return parties.withdrawCancel(state, given.by);
    case "dispute":
      return parties.disputeTrade(state, given.by);
    case "withdraw-dispute":
      return parties.withdrawDispute(state, given.by, how.disputes);
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
      return rulings.take(state, given.admin);
    case "give-back":
      return rulings.giveBack(state, given.admin);
    case "rule":
      return rulings.rule(state, given, how, rules);
    case "pay-seller":
      return admins.paySeller(state, given.admin, how);
    case "admin-cancel":
      return admins.cancel(state, given.admin, how, rules);
    case "admin-complete":
      return afterAsking(state, state.held > 0, how, (now) => admins.complete(now, given.admin, how, rules));
    case "hide":
      return admins.hide(state, given.admin);
    case "confirm-ruling":
      return rulings.confirmRuling(state, given.admin, how, rules);
    case "resolve":
      return holds.resolve(state, given, how, rules);
    case "by-hand":
      return admins.byHand(state, given, how);
    default:
      return onPayout(state, given, how, rules);
  }
}

const steps = {
  approve: payouts.approveShown,
  claim: payouts.claim,
  "withdraw-approval": payouts.withdrawApproval,
  send: payouts.send,
  done: payouts.seen,
  unknown: doubtfulTransfers.doubt,
  "found-sent": doubtfulTransfers.foundSent,
  "not-sent": doubtfulTransfers.foundUnsent,
  report: doubtfulTransfers.report,
} as const;
const needFreshLogin = ["settle", "approve", "claim", "send", "found-sent", "not-sent", "report"];

type ByAdmin = Extract<Command, { admin: number }>;

function onPayout(state: State, given: Command, how: Circumstances, rules: Rules): Outcome[] {
  if (!("admin" in given)) throw new Error(`the model knows no ${given.do}`);
  if (needFreshLogin.includes(given.do) && !how.fresh) return no(state, "REAUTH_REQUIRED");
  // The provider is asked before money may leave: what it had taken back by then is known.
  const asks = given.do === "settle" || given.do === "approve" || given.do === "send";
  const due = asks && payouts.isDue(state, given.do === "settle" ? null : given.payout, given.do === "send");
  return afterAsking(state, due, how, (now) => payoutStep(now, given, how, rules));
}

/**
 * What the provider had taken back before it was asked is known by then, unless its list was behind. A refusal changes nothing that is not
 * so anyway.
 */
function afterAsking(
  before: State,
  asks: boolean,
  { reversed }: Circumstances,
  work: (state: State) => Outcome[],
): Outcome[] {
  if (!asks) return work(before);
  const listed = before.rows.filter((row) => row.listed && reversed.includes(row.id));
  const [told, behind] = [listed.filter((row) => !row.announced), listed.filter((row) => row.announced)];
  const answers = behind.length === 0 ? [told] : [told, listed];
  return answers
    .flatMap((rows) =>
      work(
        holdReversed(
          before,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .map((so) => (so.refused === undefined ? so : { ...so, state: before }));
}

function payoutStep(state: State, given: ByAdmin, how: Circumstances, rules: Rules): Outcome[] {
  const reference = "reference" in given ? given.reference : null;
  const step = { admin: given.admin, reference, how, rules, over: "over" in given && given.over };
  if (given.do === "settle") return payouts.moneyLeft(payouts.settle(state, step));
  if (!("payout" in given && given.do in steps)) throw new Error(`the model knows no ${given.do}`);
  if (state.payouts[given.payout] === undefined) return no(state, "PAYOUT_NOT_FOUND");
  return payouts.moneyLeft(steps[given.do](state, given.payout, step));
}

/**
 * What may happen by itself at any time: a payment of the provider's is booked, its answer moves the trade, the payment window
 * ends the trade. Callbacks, checks and sweeps are jobs, and nobody waits for them.
 */
export function byItself(state: State, rules: Rules): State[] {
  const next: State[] = state.rows
    .filter(({ reversed, listed }) => reversed === "unknown" && listed)
    .map(({ id }) => holdReversed(state, [id]));
  next.push(...holdsByItself(state));
  const short = endIfShort(state, rules);
  if (short !== state) next.push(short);
  const waiting = state.rows.filter(
    ({ booked, failed, place, listed, foreign }) =>
      !booked && !failed && place !== null && listed && foreign === null,
  );
  const first = waiting.find(({ place }) => place !== -1);
  for (const row of waiting) {
    const booked = row === first || row.place === -1 ? bookRow(state, row) : null;
    if (booked !== null) next.push(followMoney(booked));
  }
  if (!unpaid(state)) return next;
  if (state.held === 0 && state.rows.some(({ failed }) => failed) && state.status !== "payment_failed") {
    next.push({ ...state, status: "payment_failed" });
  }
  if (state.held === 0 && state.heard && !["initiated", "payment_pending"].includes(state.status)) {
    next.push({ ...state, status: "payment_pending" });
  }
  if (windowOver(state).includes(true) && !onHold(state))
    next.push(refundDue(ended(state, "cancelled", "expired"), rules, true));
  return next;
}
