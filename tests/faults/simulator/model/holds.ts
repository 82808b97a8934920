import type { Circumstances, CommandOf } from "./commands.ts";
import { bookRow, endIfShort, followMoney, voidDue } from "./money.ts";
import { fine, no, type Outcome } from "./parties.ts";
import { type Hold, type HoldOutcome, keyOf, type Row, type Rules, type State } from "./state.ts";
import { isMoneyHere } from "./state-facts.ts";

/** How administrators end the reasons of a trade's hold. */

export function resolve(
  state: State,
  { admin, outcome }: CommandOf<"resolve">,
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
