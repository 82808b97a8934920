import type { Circumstances } from "./commands.ts";
import {
  bookRow,
  followMoney,
  freshRows,
  payoutDue,
  redirected,
  refundDue,
  splitDue,
  voidDue,
} from "./money.ts";
import { type Account, figures, type Party, type Payer, type Rules, type State } from "./state.ts";
import {
  ended,
  inCase,
  moneySent,
  onHold,
  openCase,
  other,
  splitInForce,
  unpaid,
  windowOver,
} from "./state-facts.ts";

/** What may come of one step: the state after it, and a refusal where it changed nothing because of one. */
export type Outcome = { state: State; refused?: string };

export const fine = (state: State): Outcome[] => [{ state }];
export const no = (state: State, refused: string): Outcome[] => [{ state, refused }];

/** Needs the money in hand. */
export const outOfPlace = (state: State) => no(state, unpaid(state) ? "NOT_PAID_YET" : "TRADE_OVERTAKEN");

/** Of each thing that may be so, what follows. */
const each = <T>(cases: readonly T[], of: (one: T) => Outcome[]): Outcome[] => cases.flatMap(of);

export function create(state: State, by: Party, amount: number, payer: Payer): Outcome[] {
  if (by === "buyer") return no(state, "SELLERS_CREATE");
  if (unpaid(state) && state.amount === amount && state.payer === payer) return fine(state);
  const over = state.status === "completed" || state.status === "settlement_pending";
  return no(state, over ? "TRADE_COMPLETED" : "TRADE_EXISTS");
}

export function amend(state: State, by: Party, amount: number, payer: Payer, rules: Rules): Outcome[] {
  if (by === "buyer") return no(state, "SELLER_ONLY");
  if (!unpaid(state)) return no(state, "TRADE_OVERTAKEN");
  if (state.amount === amount && state.payer === payer) return fine(state);
  if (state.held > 0) return no(state, "MONEY_BOOKED");
  return each(windowOver(state), (over) => {
    if (over) return no(state, "WINDOW_OVER");
    if (onHold(state)) return no(state, "TRADE_ON_HOLD");
    const begun = {
      status: "initiated",
      invoice: null,
      markedPaid: false,
      windowDue: state.minute + 24 * 60,
    };
    return fine({ ...state, ...figures(amount, payer, rules), ...begun });
  });
}

export function withdraw(state: State, by: Party): Outcome[] {
  if (by === "buyer") return no(state, "SELLER_ONLY");
  if (state.status === "cancelled" && state.end === "withdrawn") return fine(state);
  if (!unpaid(state)) return no(state, "TRADE_OVERTAKEN");
  if (state.held > 0) return no(state, "MONEY_BOOKED");
  if (onHold(state)) return no(state, "TRADE_ON_HOLD");
  return fine(ended(state, "cancelled", "withdrawn"));
}

/** Whether a new invoice may be made now. */
export function mayInvoice(state: State, by: Party): Outcome[] {
  if (!unpaid(state)) return no(state, "TRADE_OVERTAKEN");
  if (by === "seller" && state.locked) return no(state, "BUYER_ONLY");
  return each(windowOver(state), (over) => {
    if (over) return no(state, "WINDOW_OVER");
    return onHold(state) ? no(state, "TRADE_ON_HOLD") : fine(state);
  });
}

/** An invoice is shown to the parties; the first one begins the window of two hours. */
export function showInvoice(state: State, invoice: string, by: Party): Outcome[] {
  if (unpaid(state) && state.invoice === invoice) return fine(state);
  return mayInvoice(state, by).flatMap(({ refused }) => {
    if (refused !== undefined) return no(state, refused);
    const status = state.held > 0 ? "payment_processing" : "payment_initiated";
    const windowDue = state.invoice === null ? state.minute + 120 : state.windowDue;
    return fine({ ...state, status, invoice, windowDue, locked: true });
  });
}

export function markPaid(state: State, by: Party): Outcome[] {
  if (by === "seller") return no(state, "BUYER_ONLY");
  if (state.confirmed && state.status !== "cancelled") return fine(state);
  if (!unpaid(state)) return no(state, "TRADE_OVERTAKEN");
  if (state.status === "initiated") return no(state, "PAYMENT_NOT_REQUESTED");
  return fine({ ...state, status: "payment_processing", markedPaid: true });
}

/** The provider's answer, which told of these payments at least, is booked for a buyer who asked. */
export function checked(state: State, told: readonly string[]): Outcome[] {
  const booked = freshRows(state, told).reduce<State | null>((now, row) => now && bookRow(now, row), state);
  if (booked === null) return [];
  if (!unpaid(booked)) return fine(booked);
  if (booked.held > 0) return fine(followMoney(booked));
  // While an invoice is being made, or a check is shared, the answer may count as incomplete.
  const may = fine(booked);
  if (booked.rows.some(({ failed }) => failed)) may.push({ state: { ...booked, status: "payment_failed" } });
  if (booked.status === "initiated") return [...may, ...no(state, "PAYMENT_NOT_REQUESTED")];
  return [...may, { state: { ...booked, status: "payment_pending" } }];
}

export function handOver(state: State, by: Party): Outcome[] {
  if (by === "buyer") return no(state, "SELLER_ONLY");
  if (state.handedOver && state.status !== "cancelled") return fine(state);
  const follows = state.status === "exchange_completed" || state.status === "settlement_pending";
  if (state.receivedOtherwise && follows) return fine({ ...state, handedOver: true });
  if (state.status !== "payment_confirmed") return outOfPlace(state);
  return state.sellerCancel ? no(state, "CANCELLATION_PENDING") : fine({ ...state, handedOver: true });
}

export const settling = (state: State): State => ({
  ...state,
  status: "settlement_pending",
  buyerCancel: false,
  sellerCancel: false,
});

/** `shown`: how many disputes the trade had when the party looked; the buyer's confirmation ends the last of them. */
export function confirm(state: State, by: Party, shown: number): Outcome[] {
  if (by === "seller") return sellerConfirms(state);
  const { status, buyerDone, buyerCancel } = state;
  if (status === "disputed") {
    if (shown === 0) return no(state, "DISPUTE_OPEN");
    if (buyerCancel) return no(state, "CANCELLATION_PENDING");
    if (shown !== state.disputes.length) return no(state, "DISPUTE_CHANGED");
    return fine(payoutDue(inCase({ ...settling(state), buyerDone: true }, { outcome: "released" })));
  }
  if (buyerDone && status !== "cancelled") return fine(state);
  if (status !== "payment_confirmed") return outOfPlace(state);
  if (buyerCancel) return no(state, "CANCELLATION_PENDING");
  const receivedOtherwise = !state.handedOver;
  return fine({
    ...state,
    status: "exchange_completed",
    buyerDone: true,
    receivedOtherwise,
    sellerCancel: false,
  });
}

function sellerConfirms(state: State): Outcome[] {
  const { status, sellerDone, bank } = state;
  if (sellerDone && status !== "cancelled" && status !== "disputed") return fine(state);
  if (status === "payment_confirmed") return no(state, "BUYER_FIRST");
  if (status !== "exchange_completed") return outOfPlace(state);
  if (bank.length === 0) return no(state, "DESTINATION_MISSING");
  return fine(payoutDue({ ...settling(state), sellerDone: true }));
}

const cancellable = ({ status }: State) => status === "payment_confirmed" || status === "disputed";
const asked = { buyer: "buyerCancel", seller: "sellerCancel" } as const;

export function requestCancel(state: State, by: Party, rules: Rules): Outcome[] {
  if (state.status === "cancelled" && state.end === "agreed") return fine(state);
  if (!cancellable(state)) return outOfPlace(state);
  if (state[asked[by]]) return fine(state);
  const next = { ...state, [asked[by]]: true };
  if (!state[asked[other(by)]]) return fine(next);
  if (onHold(state)) return no(state, "TRADE_ON_HOLD");
  return fine(refundDue(ended(next, "cancelled", "agreed", "cancelled"), rules));
}

export function declineCancel(state: State, by: Party, { requestedAt }: Circumstances): Outcome[] {
  if (!cancellable(state)) return outOfPlace(state);
  const open = asked[other(by)];
  const changed = no(state, "CANCELLATION_CHANGED");
  if (!state[open]) return state[asked[by]] ? changed : fine(state);
  // The model has no times: the request that was shown may be the open one, or an earlier one that was withdrawn since.
  return requestedAt === null ? changed : [...changed, ...fine({ ...state, [open]: false })];
}

export function withdrawCancel(state: State, by: Party): Outcome[] {
  return cancellable(state) ? fine({ ...state, [asked[by]]: false }) : outOfPlace(state);
}

const disputable = ["payment_confirmed", "exchange_completed", "settlement_pending"];

export function disputeTrade(state: State, by: Party): Outcome[] {
  const { status, payouts, disputes } = state;
  const making = payouts.some(
    (one) => one.source === "escrow" && one.state === "approved" && one.claimedBy !== null,
  );
  if (status === "settlement_pending" && making) return no(state, "PAYOUT_APPROVED");
  if (status === "disputed") return openCase(state)?.by === by ? fine(state) : no(state, "DISPUTE_OPEN");
  if (!disputable.includes(status)) return outOfPlace(state);
  if (moneySent(state)) return no(state, "MONEY_ALREADY_SENT");
  const earlierSplit = splitInForce(disputes.at(-1));
  const opened = { by, from: status, outcome: null, part: null, earlierSplit, mediator: null };
  const halted = status === "settlement_pending" ? voidDue(state) : state;
  return fine({ ...halted, status: "disputed", disputes: [...disputes, opened] });
}

export function withdrawDispute(state: State, by: Party, shown: number): Outcome[] {
  const last = state.disputes.at(-1);
  if (last?.outcome === "withdrawn" && last.by === by && state.status === last.from) return fine(state);
  if (state.status !== "disputed" || last === undefined) return outOfPlace(state);
  if (last.by !== by) return no(state, "DISPUTE_NOT_YOURS");
  if (shown !== state.disputes.length) return no(state, "DISPUTE_CHANGED");
  const back = inCase({ ...state, status: last.from }, { outcome: "withdrawn" });
  if (last.from === "payment_confirmed") return fine(back);
  const after = { ...back, buyerCancel: false, sellerCancel: false };
  return fine(last.from === "settlement_pending" ? splitDue(after, last.earlierSplit) : after);
}

const exchanging = ["payment_confirmed", "exchange_completed", "settlement_pending", "disputed", "completed"];

export function bankInfo(state: State, by: Party, account: Account): Outcome[] {
  if (by === "buyer") return no(state, "SELLER_ONLY");
  if (!exchanging.includes(state.status)) return no(state, "INFO_NOT_AVAILABLE");
  if (state.bank.at(-1) === account) return fine(state);
  const live = state.payouts.filter((one) => one.kind === "payout" && one.state !== "void");
  if (state.bank.length >= 2 || live.some((one) => one.state !== "due")) return no(state, "BANK_INFO_FINAL");
  const bankCorrectedIn = state.bank.length > 0 ? state.minute : null;
  return fine(redirected({ ...state, bank: [...state.bank, account], bankCorrectedIn }, "payout", account));
}

export function refundDestination(state: State, by: Party, account: Account): Outcome[] {
  if (by === "seller") return no(state, "BUYER_ONLY");
  const live = state.payouts.filter((one) => one.kind === "refund" && one.state !== "void");
  if (live.length === 0) return no(state, "NO_REFUND_DUE");
  if (live.every((one) => one.state !== "due")) {
    return state.refundTo === account ? fine(state) : no(state, "REFUND_DESTINATION_FINAL");
  }
  return fine(redirected({ ...state, refundTo: account }, "refund", account));
}
