import type { Circumstances, CommandOf } from "./commands.ts";
import { bookMoney, followMoney, payoutDue, refundDue, splitDue, voidDue } from "./money.ts";
import { fine, no, type Outcome, outOfPlace, settling } from "./parties.ts";
import { approve, markSent } from "./payouts.ts";
import { isRuled, kept } from "./rulings.ts";
import type { Admin, Rules, State } from "./state.ts";
import { ended, moneySent, needsTwo, onHold, splitInForce } from "./state-facts.ts";

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

export function byHand(
  state: State,
  { admin, reference }: CommandOf<"by-hand">,
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
