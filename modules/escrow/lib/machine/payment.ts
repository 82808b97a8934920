import { addDeadline, deadlineHours, removeDeadlines } from "./deadline-times.ts";
import {
  changeTrade,
  createMails,
  createNotice,
  isUnpaid,
  keepTrade,
  pickFigures,
  refuseCommand,
  stampStep,
} from "./decision-helpers.ts";
import { endTrade } from "./end-trade.ts";
import type { CommandOf, GivenBy, Trade, Who } from "./trade-types.ts";

/**
 * The seller corrects the request while nothing is paid. The request starts again, and so does its payment window. The item is fixed by the
 * first QR code: money that arrives by it, however late, must be for what the buyer saw.
 */
export function decideAmendment(trade: Trade, command: CommandOf<"amend">, now: Date) {
  if (!isUnpaid(trade)) return refuseCommand("TRADE_OVERTAKEN", trade);
  const { figures, goods, description } = command;
  if (
    figures.amount === trade.amount &&
    figures.feePayer === trade.feePayer &&
    goods === trade.goods &&
    description === trade.description
  ) {
    return keepTrade(trade);
  }
  const isSameItem = goods === trade.goods && description === trade.description;
  if (trade.rolesLockedAt !== null && !isSameItem) return refuseCommand("GOODS_FIXED", trade);
  if (trade.held > 0) return refuseCommand("MONEY_BOOKED", trade);
  if (isWindowOver(trade, now)) return refuseCommand("WINDOW_OVER", trade);
  const deadlines = addDeadline(trade.deadlines, "payment_window", now, deadlineHours.firstInvoice);
  const patch: Partial<Trade> = {
    ...pickFigures(figures),
    goods,
    description,
    status: "initiated",
    invoiceId: null,
    markedPaidAt: null,
    deadlines,
  };
  const params = { amount: figures.amount, serviceFee: figures.gross - figures.amount, total: figures.gross };
  return changeTrade(trade, now, patch, [
    { kind: "cancel_invoices" },
    createNotice(trade, "paymentAmended", params),
    ...createMails("paymentRequested", "buyer"),
  ]);
}

/** The seller withdraws the request while nothing is paid. */
export function decideWithdrawal(trade: Trade, now: Date) {
  if (trade.endReason === "withdrawn") return keepTrade(trade);
  if (!isUnpaid(trade)) return refuseCommand("TRADE_OVERTAKEN", trade);
  if (trade.held > 0) return refuseCommand("MONEY_BOOKED", trade);
  return changeTrade(trade, now, endTrade(trade, "cancelled", "withdrawn", now), [
    { kind: "cancel_invoices" },
    createNotice(trade, "paymentWithdrawn"),
    ...createMails("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

/**
 * An invoice for what is still owed was created at the provider. The first one fixes the parties and starts the payment window; the
 * seller's request may create it. A later one replaces an invoice that the buyer may just be paying, so only the buyer may ask for it.
 */
export function decideInvoice(trade: Trade, command: GivenBy<Who, CommandOf<"issue_invoice">>, now: Date) {
  if (!isUnpaid(trade) || trade.hiddenAt !== null) return refuseCommand("TRADE_OVERTAKEN", trade);
  if (trade.invoiceId === command.invoiceId) return keepTrade(trade);
  if (command.who === "seller" && trade.rolesLockedAt !== null) return refuseCommand("BUYER_ONLY", trade);
  if (isWindowOver(trade, now)) return refuseCommand("WINDOW_OVER", trade);
  const patch: Partial<Trade> = {
    status: trade.held > 0 ? "payment_processing" : "payment_initiated",
    invoiceId: command.invoiceId,
    rolesLockedAt: trade.rolesLockedAt ?? now,
    steps: stampStep(trade.steps, "payment_initiated", now),
    deadlines:
      trade.invoiceId === null ? addDeadline(trade.deadlines, "payment_window", now) : trade.deadlines,
  };
  const params = {
    amount: trade.amount,
    serviceFee: trade.gross - trade.amount,
    total: trade.gross - trade.held,
    description: trade.description ?? "",
  };
  return changeTrade(trade, now, patch, [createNotice(trade, "paymentQr", params, "payment_qr")]);
}

/** The buyer says that they have paid. The check that follows decides what the room is told: one press has one notice. */
export function decideMarkedPaid(trade: Trade, now: Date) {
  if (trade.confirmedAt !== null && trade.status !== "cancelled") return keepTrade(trade);
  if (!isUnpaid(trade) || trade.hiddenAt !== null) return refuseCommand("TRADE_OVERTAKEN", trade);
  if (trade.status === "initiated") return refuseCommand("PAYMENT_NOT_REQUESTED", trade);
  if (trade.status === "payment_processing" && trade.markedPaidAt !== null) return keepTrade(trade);
  const patch: Partial<Trade> = {
    status: "payment_processing",
    markedPaidAt: trade.markedPaidAt ?? now,
    steps: stampStep(trade.steps, "payment_processing", now),
  };
  return changeTrade(trade, now, patch);
}

/** What the provider reported has been booked; `held` is what the ledger holds afterwards. */
export function decidePaymentCheck(
  trade: Trade,
  command: GivenBy<Who, CommandOf<"payment_checked">>,
  now: Date,
) {
  if (!isUnpaid(trade)) return keepTrade(trade);
  if (trade.held >= trade.gross) return confirmFullPayment(trade, now);
  if (trade.held > 0) return recordPartPayment(trade, command.booked, now);
  if (!command.complete) return keepTrade(trade);
  if (command.failed) {
    if (trade.status === "payment_failed") return keepTrade(trade);
    return changeTrade(trade, now, { status: "payment_failed" }, [createNotice(trade, "paymentFailed")]);
  }
  if (trade.status === "initiated") {
    return command.who === "buyer" ? refuseCommand("PAYMENT_NOT_REQUESTED", trade) : keepTrade(trade);
  }
  // A check on the way to something else (a new QR code, an end) shows the parties nothing.
  const asked = command.who === "buyer" || command.who === "provider";
  if (!asked || trade.status === "payment_pending") return keepTrade(trade);
  return changeTrade(trade, now, { status: "payment_pending" });
}

function confirmFullPayment(trade: Trade, now: Date) {
  const running = removeDeadlines(trade.deadlines, "payment_window");
  const patch: Partial<Trade> = {
    status: "payment_confirmed",
    confirmedAt: now,
    rolesLockedAt: trade.rolesLockedAt ?? now,
    steps: stampStep(trade.steps, "payment_processing", now),
    deadlines: addDeadline(running, "hand_over", now),
  };
  return changeTrade(trade, now, patch, [
    { kind: "cancel_invoices" },
    createNotice(trade, "paymentConfirmed", { total: trade.gross }),
    ...createMails("paymentConfirmed", "buyer", "seller"),
  ]);
}

function recordPartPayment(trade: Trade, booked: number, now: Date) {
  if (trade.status === "payment_processing" && booked === 0) return keepTrade(trade);
  const patch: Partial<Trade> = {
    status: "payment_processing",
    rolesLockedAt: trade.rolesLockedAt ?? now,
    steps: stampStep(trade.steps, "payment_processing", now),
  };
  const params = { paid: trade.held, rest: trade.gross - trade.held };
  return changeTrade(trade, now, patch, booked > 0 ? [createNotice(trade, "paymentPartial", params)] : []);
}

function isWindowOver(trade: Trade, now: Date): boolean {
  const due = trade.deadlines.payment_window?.dueAt;
  return due !== undefined && due <= now;
}
