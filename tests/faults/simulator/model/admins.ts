import type { Circumstances, Command } from "./commands.ts";
import { bookMoney, followMoney, payoutDue, refundDue, refundSums, splitDue, voidDue } from "./money.ts";
import { fine, no, type Outcome, outOfPlace, settling } from "./parties.ts";
import { approve, markSent } from "./payouts.ts";
import {
  type Admin,
  ended,
  inCase,
  moneySent,
  openCase,
  type Rules,
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
  given: Of<"rule">,
  { fresh, sum, part }: Circumstances,
  rules: Rules,
): Outcome[] {
  if (!fresh) return no(state, "REAUTH_REQUIRED");
  const { ruling, admin } = given;
  if (state.status !== "disputed") return ruledBefore(state, ruling, part) ? fine(state) : outOfPlace(state);
  if (ruling === "split" && (part < 1 || part >= state.held - state.fee))
    return no(state, "SPLIT_OUT_OF_RANGE");
  const right = {
    release: Math.min(state.net, state.held),
    refund: refundSums(state, rules).amount,
    split: part,
  };
  if (right[ruling] !== sum) return no(state, "SUM_DIFFERS");
  const mediator = openCase(state)?.mediator ?? null;
  if (mediator !== null && mediator !== admin) return no(state, "DISPUTE_TAKEN");
  const taken = inCase(state, { mediator: admin });
  if (ruling === "refund") return fine(refundDue(ended(taken, "cancelled", "ruling", "refund"), rules));
  const ruled = inCase(settling(taken), { outcome: ruling, part: ruling === "split" ? part : null });
  return fine(ruling === "split" ? splitDue(ruled, part) : payoutDue(ruled));
}

function ruledBefore(state: State, ruling: string, part: number): boolean {
  const last = state.disputes.at(-1);
  if (last?.outcome !== ruling) return false;
  if (ruling === "refund") return state.end === "ruling";
  const same = last.part === (ruling === "split" ? part : null);
  return same && (state.status === "settlement_pending" || state.status === "completed");
}

/** What stands before an administrator's decision about a whole trade. */
function barred(state: State, admin: Admin, fresh: boolean, undoes: boolean): string | null {
  if (state.held > 0 && !fresh) return "REAUTH_REQUIRED";
  if (state.status === "disputed" || undoes) {
    const keeps = kept(state, admin);
    if (keeps !== null) return keeps;
  }
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
  const bar = barred(state, admin, fresh, status !== "cancelled");
  if (bar !== null) return no(state, bar);
  if (status === "cancelled") return end === "admin" ? fine(state) : no(state, "TRADE_OVERTAKEN");
  if (moneySent(state)) return no(state, "MONEY_ALREADY_SENT");
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
  if (closed.payouts.some(({ state }) => state === "unknown")) return no(before, "PAYOUT_UNKNOWN_OPEN");
  let now = fine(closed);
  closed.payouts.forEach((one, at) => {
    if (one.source !== "escrow" || (one.state !== "due" && one.state !== "approved")) return;
    for (const step of [approve, markSent]) {
      now = now.flatMap((so) =>
        so.refused === undefined ? step(so.state, at, { admin, reference: null, how, rules }) : [so],
      );
    }
  });
  return now.map((so) => (so.refused === undefined ? so : { ...so, state: before }));
}

export function hide(state: State, admin: Admin): Outcome[] {
  const keeps = state.status === "disputed" ? kept(state, admin) : null;
  if (keeps !== null) return no(state, keeps);
  if (state.hidden) return fine(state);
  return state.held > 0 ? no(state, "MONEY_HELD") : fine({ ...state, hidden: true });
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
    return fine({ ...state, proposal: { by: admin, amount: sum, reference } });
  }
  if (proposal.amount !== sum || proposal.reference !== reference) return no(state, "PROPOSAL_DIFFERS");
  const reported = state.rows.some((row) => row.booked && row.amount === sum && !meets(state, row.id));
  if (reported) return no(state, "PAYMENT_ALREADY_BOOKED");
  const hands = [...state.hands, { amount: sum, reference, matched: null }];
  const booked = bookMoney({ ...state, hands, proposal: null }, `hand:${reference}`, sum);
  return fine(followMoney(booked));
}

/** True of a row that a confirmation by hand stands for. */
function meets(state: State, row: string): boolean {
  return state.hands.some(({ matched }) => matched === row);
}
