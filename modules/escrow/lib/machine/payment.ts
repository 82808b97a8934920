import { hours, started, without } from "./deadline-times.ts";
import {
  changed,
  isUnpaid,
  mail,
  notice,
  refuseCommand,
  stamped,
  sums,
  unchangedTrade,
} from "./decision-helpers.ts";
import { ended } from "./end-trade.ts";
import type { Command, Decision, Trade, Who } from "./trade-types.ts";

type Of<K extends Command["kind"]> = Extract<Command, { kind: K }>;

/** The seller sets the sums right while nothing is paid: the request begins anew and so does its window. */
export function decideAmendment(trade: Trade, command: Of<"amend">, now: Date): Decision {
  if (!isUnpaid(trade)) return refuseCommand("TRADE_OVERTAKEN", trade);
  const { figures, goods, description } = command;
  if (
    figures.amount === trade.amount &&
    figures.feePayer === trade.feePayer &&
    goods === trade.goods &&
    description === trade.description
  ) {
    return unchangedTrade(trade);
  }
  if (trade.held > 0) return refuseCommand("MONEY_BOOKED", trade);
  if (windowOver(trade, now)) return refuseCommand("WINDOW_OVER", trade);
  const deadlines = started(trade.deadlines, "payment_window", now, hours.firstInvoice);
  const patch: Partial<Trade> = {
    ...sums(figures),
    goods,
    description,
    status: "initiated",
    invoiceId: null,
    markedPaidAt: null,
    deadlines,
  };
  const params = { amount: figures.amount, serviceFee: figures.gross - figures.amount, total: figures.gross };
  return changed(trade, now, patch, [
    { kind: "cancel_invoices" },
    notice(trade, "paymentAmended", params),
    ...mail("paymentRequested", "buyer"),
  ]);
}

/** The seller takes the request back while nothing is paid. */
export function decideWithdrawal(trade: Trade, now: Date): Decision {
  if (trade.endReason === "withdrawn") return unchangedTrade(trade);
  if (!isUnpaid(trade)) return refuseCommand("TRADE_OVERTAKEN", trade);
  if (trade.held > 0) return refuseCommand("MONEY_BOOKED", trade);
  return changed(trade, now, ended(trade, "cancelled", "withdrawn", now), [
    { kind: "cancel_invoices" },
    notice(trade, "paymentWithdrawn"),
    ...mail("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

/**
 * An invoice for what is still owed was made at the provider; the first one fixes the parties and starts the window. The seller's
 * request may bring the first one; after that another replaces what the buyer may just be paying, so it is the buyer's word alone.
 */
export function issueInvoice(trade: Trade, command: Of<"issue_invoice"> & { who: Who }, now: Date): Decision {
  if (!isUnpaid(trade) || trade.hiddenAt !== null) return refuseCommand("TRADE_OVERTAKEN", trade);
  if (trade.invoiceId === command.invoiceId) return unchangedTrade(trade);
  if (command.who === "seller" && trade.rolesLockedAt !== null) return refuseCommand("BUYER_ONLY", trade);
  if (windowOver(trade, now)) return refuseCommand("WINDOW_OVER", trade);
  const patch: Partial<Trade> = {
    status: trade.held > 0 ? "payment_processing" : "payment_initiated",
    invoiceId: command.invoiceId,
    rolesLockedAt: trade.rolesLockedAt ?? now,
    steps: stamped(trade.steps, "payment_initiated", now),
    deadlines: trade.invoiceId === null ? started(trade.deadlines, "payment_window", now) : trade.deadlines,
  };
  const params = {
    amount: trade.amount,
    serviceFee: trade.gross - trade.amount,
    total: trade.gross - trade.held,
    description: trade.description ?? "",
  };
  return changed(trade, now, patch, [notice(trade, "paymentQr", params, "payment_qr")]);
}

/** The buyer says the money is on its way. */
export function decideMarkedPaid(trade: Trade, now: Date): Decision {
  if (trade.confirmedAt !== null && trade.status !== "cancelled") return unchangedTrade(trade);
  if (!isUnpaid(trade) || trade.hiddenAt !== null) return refuseCommand("TRADE_OVERTAKEN", trade);
  if (trade.status === "initiated") return refuseCommand("PAYMENT_NOT_REQUESTED", trade);
  if (trade.status === "payment_processing" && trade.markedPaidAt !== null) return unchangedTrade(trade);
  const patch: Partial<Trade> = {
    status: "payment_processing",
    markedPaidAt: trade.markedPaidAt ?? now,
    steps: stamped(trade.steps, "payment_processing", now),
  };
  return changed(trade, now, patch, trade.markedPaidAt === null ? [notice(trade, "markedPaid")] : []);
}

/** What the provider said has been booked; `held` is what the ledger holds since. */
export function paymentChecked(
  trade: Trade,
  command: Of<"payment_checked"> & { who: Who },
  now: Date,
): Decision {
  if (!isUnpaid(trade)) return unchangedTrade(trade);
  if (trade.held >= trade.gross) return paidInFull(trade, now);
  if (trade.held > 0) return paidInPart(trade, command.booked, now);
  if (!command.complete) return unchangedTrade(trade);
  if (command.failed) {
    if (trade.status === "payment_failed") return unchangedTrade(trade);
    return changed(trade, now, { status: "payment_failed" }, [notice(trade, "paymentFailed")]);
  }
  if (trade.status === "initiated") {
    return command.who === "buyer" ? refuseCommand("PAYMENT_NOT_REQUESTED", trade) : unchangedTrade(trade);
  }
  // A look on the way to something else (a new QR, an end) says nothing to the parties.
  const asked = command.who === "buyer" || command.who === "provider";
  if (!asked || trade.status === "payment_pending") return unchangedTrade(trade);
  return changed(trade, now, { status: "payment_pending" });
}

function paidInFull(trade: Trade, now: Date): Decision {
  const running = without(trade.deadlines, "payment_window");
  const patch: Partial<Trade> = {
    status: "payment_confirmed",
    confirmedAt: now,
    rolesLockedAt: trade.rolesLockedAt ?? now,
    steps: stamped(trade.steps, "payment_processing", now),
    deadlines: started(running, "hand_over", now),
  };
  return changed(trade, now, patch, [
    { kind: "cancel_invoices" },
    notice(trade, "paymentConfirmed", { total: trade.gross }),
    ...mail("paymentConfirmed", "buyer", "seller"),
  ]);
}

function paidInPart(trade: Trade, booked: number, now: Date): Decision {
  if (trade.status === "payment_processing" && booked === 0) return unchangedTrade(trade);
  const patch: Partial<Trade> = {
    status: "payment_processing",
    rolesLockedAt: trade.rolesLockedAt ?? now,
    steps: stamped(trade.steps, "payment_processing", now),
  };
  const params = { paid: trade.held, rest: trade.gross - trade.held };
  return changed(trade, now, patch, booked > 0 ? [notice(trade, "paymentPartial", params)] : []);
}

function windowOver(trade: Trade, now: Date): boolean {
  const due = trade.deadlines.payment_window?.dueAt;
  return due !== undefined && due <= now;
}
