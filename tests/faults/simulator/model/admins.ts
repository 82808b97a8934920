import type { Circumstances, Command } from "./commands.ts";
import {
  bookMoney,
  bookRow,
  endIfShort,
  followMoney,
  payoutDue,
  refundDue,
  refundSums,
  splitDue,
  voidDue,
} from "./money.ts";
import { fine, no, type Outcome, outOfPlace, settling } from "./parties.ts";
import { approve, markSent } from "./payouts.ts";
import {
  type Admin,
  ended,
  type Hold,
  type HoldOutcome,
  inCase,
  isMoneyHere,
  keyOf,
  moneySent,
  needsTwo,
  onHold,
  openCase,
  outgoingTotal,
  type Row,
  type Rules,
  type RulingProposal,
  type State,
  splitInForce,
} from "./state.ts";

type Of<D extends Command["do"]> = Extract<Command, { do: D }>;

export function take(state: State, admin: Admin): Outcome[] {
  const open = openCase(state);
  if (open === undefined) return no(state, "TRADE_OVERTAKEN");
  if (open.mediator !== null && open.mediator !== admin) return no(state, "DISPUTE_TAKEN");
  return fine(inCase(state, { mediator: admin }));
}

export function giveBack(state: State, admin: Admin): Outcome[] {
  const open = openCase(state);
  if (open === undefined) return no(state, "TRADE_OVERTAKEN");
  if (open.mediator !== null && open.mediator !== admin) return no(state, "DISPUTE_TAKEN");
  return fine(inCase(state, { mediator: null }));
}

/** Of an open dispute its mediator decides, and what was ruled is undone by whoever ruled it. */
function kept(state: State, admin: Admin): string | null {
  const lasting = state.disputes.findLast(({ outcome }) => outcome !== "withdrawn");
  if (lasting === undefined) return null;
  if (lasting.outcome !== null && lasting.outcome !== "release" && lasting.outcome !== "split") return null;
  if (lasting.mediator === null) return lasting.outcome === null ? "DISPUTE_NOT_TAKEN" : null;
  return lasting.mediator === admin ? null : "DISPUTE_TAKEN";
}

export function rule(
  state: State,
  asked: Of<"rule">,
  { fresh, sum, part }: Circumstances,
  rules: Rules,
): Outcome[] {
  if (!fresh) return no(state, "REAUTH_REQUIRED");
  const { ruling, admin } = asked;
  if (state.status !== "disputed") return ruledBefore(state, ruling, part) ? fine(state) : outOfPlace(state);
  if (ruling === "split" && (part < 1 || part >= state.held - state.fee))
    return no(state, "SPLIT_OUT_OF_RANGE");
  const right = {
    release: Math.min(state.net, state.held),
    refund: refundSums(state, rules).amount,
    split: part,
  };
  if (ruling === "refund" && onHold(state)) return no(state, "TRADE_ON_HOLD");
  if (right[ruling] !== sum) return no(state, "SUM_DIFFERS");
  const mediator = openCase(state)?.mediator ?? null;
  if (mediator !== null && mediator !== admin) return no(state, "DISPUTE_TAKEN");
  const taken = inCase(state, { mediator: admin });
  const given = { ruling, part: ruling === "split" ? part : null, sum };
  const moves = ruling === "split" ? state.held - state.fee : sum;
  if (needsTwo(outgoingTotal(state) + moves, rules)) return proposeRuling(taken, admin, given);
  return ruled(taken, given, rules);
}

type Ruling = Pick<RulingProposal, "ruling" | "part" | "sum">;

/** So much takes two: it waits for another administrator. */
function proposeRuling(state: State, by: Admin, given: Ruling): Outcome[] {
  const open = state.ruling;
  const same = open?.by === by && open.ruling === given.ruling && open.part === given.part;
  if (same && open.sum === given.sum && !open.lapsed) return fine(state);
  const no = state.rulings + 1;
  return fine({ ...state, rulings: no, ruling: { no, by, lapsed: false, ...given } });
}

export function confirmRuling(
  state: State,
  admin: Admin,
  { fresh, proposed, sum }: Circumstances,
  rules: Rules,
): Outcome[] {
  if (!fresh) return no(state, "REAUTH_REQUIRED");
  if (proposed === null) return fine(state);
  if (state.confirmedRulings.some((one) => one.no === proposed.no && one.by === admin)) return fine(state);
  const open = openCase(state);
  if (open === undefined) return no(state, "TRADE_OVERTAKEN");
  if (proposed.lapsed) return no(state, "PROPOSER_NOT_ADMIN");
  if (state.ruling?.no !== proposed.no || open.mediator !== proposed.by) return no(state, "PROPOSAL_CHANGED");
  if (proposed.by === admin) return no(state, "FOUR_EYES_REQUIRED");
  if (proposed.ruling === "refund" && onHold(state)) return no(state, "TRADE_ON_HOLD");
  if (proposed.sum !== sum) return no(state, "SUM_DIFFERS");
  const confirmedRulings = [...state.confirmedRulings, { no: proposed.no, by: admin }];
  return ruled({ ...state, confirmedRulings }, proposed, rules);
}

function ruled(taken: State, { ruling, part }: Ruling, rules: Rules): Outcome[] {
  if (ruling === "refund") return fine(refundDue(ended(taken, "cancelled", "ruling", "refund"), rules));
  const after = inCase(settling(taken), { outcome: ruling, part });
  return fine(splitDue(after, part));
}

function ruledBefore(state: State, ruling: string, part: number): boolean {
  const last = state.disputes.at(-1);
  if (last?.outcome !== ruling) return false;
  if (ruling === "refund") return state.end === "ruling";
  const same = last.part === (ruling === "split" ? part : null);
  return same && (state.status === "settlement_pending" || state.status === "completed");
}

/** Whether the latest dispute that nobody took back was ruled for the seller, in whole or in part. */
function isRuled({ disputes }: State): boolean {
  const lasting = disputes.findLast(({ outcome }) => outcome !== "withdrawn");
  return lasting?.outcome === "release" || lasting?.outcome === "split";
}

/** What stands before an administrator's decision about a whole trade. */
function barred(
  state: State,
  admin: Admin,
  fresh: boolean,
  undoes: boolean,
  rules: Rules | null = null,
): string | null {
  if (state.held > 0 && !fresh) return "REAUTH_REQUIRED";
  if (state.status === "disputed" || undoes) {
    const keeps = kept(state, admin);
    if (keeps !== null) return keeps;
  }
  // A refund of so much by this door would be a ruling, or undo one, without its second administrator.
  const decides = state.status === "disputed" || isRuled(state);
  if (decides && undoes && rules !== null && needsTwo(state.held, rules)) return "FOUR_EYES_REQUIRED";
  const making = state.payouts.some(
    (one) => one.source === "escrow" && one.state === "approved" && one.claimedBy !== null,
  );
  return undoes && making ? "PAYOUT_APPROVED" : null;
}

export function paySeller(state: State, admin: Admin, { fresh, sum }: Circumstances): Outcome[] {
  const bar = barred(state, admin, fresh, false);
  if (bar !== null) return no(state, bar);
  const { status, disputes, bank } = state;
  if (status === "settlement_pending" && splitInForce(disputes.at(-1)) === null) return fine(state);
  if (status !== "payment_confirmed" && status !== "exchange_completed") return outOfPlace(state);
  if (bank.length === 0) return no(state, "DESTINATION_MISSING");
  if (sum !== Math.min(state.net, state.held)) return no(state, "SUM_DIFFERS");
  return fine(payoutDue(settling(state)));
}

export function cancel(state: State, admin: Admin, { fresh }: Circumstances, rules: Rules): Outcome[] {
  const { status, end, held } = state;
  const bar = barred(state, admin, fresh, status !== "cancelled", rules);
  if (bar !== null) return no(state, bar);
  if (status === "cancelled") return end === "admin" ? fine(state) : no(state, "TRADE_OVERTAKEN");
  if (moneySent(state)) return no(state, "MONEY_ALREADY_SENT");
  if (onHold(state)) return no(state, "TRADE_ON_HOLD");
  const due = status === "settlement_pending" || (status === "completed" && held > 0);
  return fine(refundDue(ended(due ? voidDue(state) : state, "cancelled", "admin"), rules));
}

export function complete(state: State, admin: Admin, how: Circumstances, rules: Rules): Outcome[] {
  const bar = barred(state, admin, how.fresh, false);
  if (bar !== null) return no(state, bar);
  if (state.status === "completed") return fine(state);
  if (state.status === "cancelled") return no(state, "TRADE_OVERTAKEN");
  const pays = state.held > 0;
  if (pays && state.bank.length === 0) return no(state, "DESTINATION_MISSING");
  if (onHold(state)) return no(state, "TRADE_ON_HOLD");
  const split = state.disputes.at(-1)?.earlierSplit ?? null;
  const due = state.status === "settlement_pending" || !pays ? state : splitDue(state, split);
  const closed = {
    ...ended(due, "completed", pays ? "paid_out" : "closed"),
    buyerCancel: false,
    sellerCancel: false,
  };
  return pays ? sendAll(state, closed, admin, how, rules) : fine(closed);
}

/** All that is due leaves at once, its bank's numbers to follow; when one may not, nothing happened at all. */
function sendAll(before: State, closed: State, admin: Admin, how: Circumstances, rules: Rules): Outcome[] {
  let now = fine(closed);
  const blind = { ...how, shown: null };
  closed.payouts.forEach((one, at) => {
    if (one.source !== "escrow" || (one.state !== "due" && one.state !== "approved")) return;
    for (const step of [approve, markSent]) {
      now = now.flatMap((so) =>
        so.refused === undefined ? step(so.state, at, { admin, reference: null, how: blind, rules }) : [so],
      );
      // The first approval of a corrected account sends nothing.
      now = now.map((so) => {
        const waits = so.refused === undefined && so.state.payouts[at]?.state === "due";
        return waits ? { state: before, refused: "FOUR_EYES_REQUIRED" } : so;
      });
    }
  });
  return now.map((so) => (so.refused === undefined ? so : { ...so, state: before }));
}

export function hide(state: State, admin: Admin): Outcome[] {
  const keeps = state.status === "disputed" ? kept(state, admin) : null;
  if (keeps !== null) return no(state, keeps);
  if (state.hidden) return fine(state);
  if (state.end === null) return no(state, "TRADE_UNDER_WAY");
  const owed = state.payouts.some((one) => ["due", "approved", "unknown"].includes(one.state));
  if (owed || state.held > 0) return no(state, "MONEY_HELD");
  // Its last QR is withdrawn at the provider by a job; until then it can still be paid.
  return [...no(state, "MONEY_HELD"), ...fine({ ...state, hidden: true })];
}

export function resolve(
  state: State,
  { admin, outcome }: Of<"resolve">,
  { fresh, hold }: Circumstances,
  rules: Rules,
): Outcome[] {
  if (!fresh) return no(state, "REAUTH_REQUIRED");
  const open = state.holds.find((one) => keyOf(one) === hold);
  // What ended before stays as it ended.
  if (open === undefined) return fine(state);
  if (outcome !== "dismissed" && outcome !== moneyOutcome(state, open))
    return no(state, "HOLD_OUTCOME_INVALID");
  const byProvider = open.reason === "PAYMENT_ANNOUNCED" || open.reason === "PAID_UNLISTED";
  const closed = { ...state, holds: state.holds.filter((one) => one !== open) };
  // One that the provider ends may have ended since it was looked at, and another of its kind begun.
  if (byProvider) return [...fine(endIfShort(closed, rules)), ...fine(state)];
  if (outcome === "dismissed" && !isMoneyHere(state)) return fine(endIfShort(toldAgain(closed, open), rules));
  const { proposal } = open;
  if (proposal === null || proposal.lapsed || proposal.by === admin) {
    const proposed = { ...open, proposal: { by: admin, outcome, lapsed: false } };
    return fine({ ...state, holds: state.holds.map((one) => (one === open ? proposed : one)) });
  }
  if (proposal.outcome !== outcome) return no(state, "PROPOSAL_DIFFERS");
  if (outcome === "dismissed") return fine(endIfShort(closed, rules));
  return outcome === "booked" ? bookForeign(closed, open) : undoPayment(state, closed, open, rules);
}

/** What one person ended while no money was here holds the trade again once there is some. */
function toldAgain(closed: State, { reason, row: id }: Hold): State {
  const again = (row: Row): Row => {
    if (row.id !== id) return row;
    return reason === "FOREIGN_INVOICE" ? { ...row, reported: "again" } : { ...row, reversed: "unknown" };
  };
  if (reason !== "FOREIGN_INVOICE" && reason !== "PAYMENT_REVERSED") return closed;
  return { ...closed, rows: closed.rows.map(again) };
}

/** How else than by dismissing it people may end a hold. */
function moneyOutcome({ rows }: State, { reason, row }: Hold): HoldOutcome | null {
  const of = rows.find(({ id }) => id === row);
  if (reason === "SECOND_PAYMENT") return "same_payment";
  if (reason === "PAYMENT_REVERSED") return of?.booked ? "taken_back" : null;
  return reason === "FOREIGN_INVOICE" && of?.foreign === "there" ? "booked" : null;
}

/** A payment that is listed under another trade's invoice is found to be this one's. */
function bookForeign(closed: State, { row: id }: Hold): Outcome[] {
  const row = closed.rows.find((one) => one.id === id);
  if (row === undefined || row.booked) return fine(closed);
  const booked = bookRow(closed, row);
  return booked === null ? [] : fine(followMoney(booked));
}

/** A payment that was booked is undone: what was due out of it is void. */
function undoPayment(before: State, closed: State, { row, hand }: Hold, rules: Rules): Outcome[] {
  const excess = `row:${row}`;
  const live = (source: string) =>
    before.payouts.filter((one) => one.source === source && one.state !== "void");
  const gone = (source: string) => live(source).some(({ state: at }) => at !== "due" && at !== "approved");
  const own = before.own[row] ?? 0;
  if (own > 0 && gone("escrow")) return no(before, "MONEY_ALREADY_SENT");
  if (gone(excess)) return no(before, "MONEY_ALREADY_SENT");
  const voided = own > 0 ? voidDue(closed) : closed;
  const payouts = voided.payouts.map((one) =>
    one.source === excess && one.state !== "void" ? { ...one, state: "void" as const } : one,
  );
  const rows = voided.rows.map((one) => (one.id === row ? { ...one, undone: true } : one));
  const hands = voided.hands.map((one) => (one.reference === hand ? { ...one, met: true } : one));
  const undone = {
    ...voided,
    rows,
    hands,
    payouts,
    held: voided.held - own,
    received: voided.received - own,
  };
  return fine(endIfShort(undone, rules));
}

export function byHand(
  state: State,
  { admin, reference }: Of<"by-hand">,
  { fresh, sum }: Circumstances,
): Outcome[] {
  if (!fresh) return no(state, "REAUTH_REQUIRED");
  const used = state.hands.find((one) => one.reference === reference);
  if (used !== undefined) return used.amount === sum ? fine(state) : no(state, "BANK_REFERENCE_USED");
  const { proposal } = state;
  if (proposal === null || proposal.by === admin) {
    const same = proposal?.amount === sum && proposal.reference === reference && !proposal.lapsed;
    const proposed = { by: admin, amount: sum, reference, proposedIn: state.minute, lapsed: false };
    return same ? fine(state) : fine({ ...state, proposal: proposed });
  }
  if (proposal.lapsed) return no(state, "PROPOSER_NOT_ADMIN");
  if (proposal.amount !== sum || proposal.reference !== reference) return no(state, "PROPOSAL_DIFFERS");
  const reported = state.rows.some(
    (row) => row.booked && row.amount === sum && !row.undone && !meets(state, row.id),
  );
  if (reported) return no(state, "PAYMENT_ALREADY_BOOKED");
  const { proposedIn } = proposal;
  const hands = [...state.hands, { amount: sum, reference, matched: null, met: false, proposedIn }];
  const booked = bookMoney({ ...state, hands, proposal: null }, `hand:${reference}`, sum);
  return fine(followMoney(booked));
}

/** True of a row that a confirmation by hand stands for. */
function meets(state: State, row: string): boolean {
  return state.hands.some(({ matched }) => matched === row);
}
