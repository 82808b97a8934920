import type { Status, Trade, TradeFigures } from "./trade-types.ts";
import { tradeStatuses } from "./trade-types.ts";

// Test data: one plain trade in every state.

export const birth = new Date("2026-11-21T08:00:00Z");
/** An hour after the trade began: inside every window. */
export const at = new Date("2026-11-21T09:00:00Z");

const hour = 3_600_000;
const later = (hours: number) => ({ dueAt: new Date(at.getTime() + hours * hour), pausedAt: null });
const paid: readonly Status[] = ["payment_confirmed", "exchange_completed", "settlement_pending", "disputed"];

/** The amounts of every plain trade; `otherFigures` are those that its seller may ask for instead. */
export const figures: TradeFigures = {
  amount: 100_000,
  fee: 10_000,
  feePayer: "buyer",
  feePolicy: "standard",
  gross: 110_000,
  net: 100_000,
};
export const otherFigures: TradeFigures = {
  ...figures,
  amount: 40_000,
  fee: 5_000,
  gross: 45_000,
  net: 40_000,
};

/** A trade of 100,000 ₮ whose buyer pays the fee, in a state that it reached in the plainest way. */
export function tradeIn(status: Status, patch: Partial<Trade> = {}): Trade {
  const invoiced = status !== "initiated";
  const confirmed = paid.includes(status) || status === "completed" || status === "cancelled";
  const bought = ["exchange_completed", "settlement_pending", "completed"].includes(status);
  const sold = ["settlement_pending", "completed"].includes(status);
  const over = status === "completed" || status === "cancelled";
  return {
    id: 7,
    code: "MM-00000000",
    roomId: 3,
    buyerId: 1,
    sellerId: 2,
    ...figures,
    goods: "other",
    description: null,
    status,
    invoiceId: invoiced ? "11111111-1111-4111-8111-111111111111" : null,
    rolesLockedAt: invoiced ? birth : null,
    markedPaidAt: status === "payment_processing" ? birth : null,
    confirmedAt: confirmed ? birth : null,
    onHoldSince: null,
    holds: [],
    handedOverAt: null,
    handOverNote: null,
    receivedOtherwiseAt: null,
    buyerCompletedAt: bought ? birth : null,
    sellerCompletedAt: sold ? birth : null,
    buyerCancelAt: null,
    sellerCancelAt: null,
    dispute:
      status === "disputed"
        ? {
            openedBy: "buyer",
            from: "payment_confirmed",
            outcome: null,
            refundAmount: null,
            earlierSplit: null,
          }
        : null,
    endReason: status === "completed" ? "paid_out" : status === "cancelled" ? "ruling" : null,
    endedAt: over ? birth : null,
    hiddenAt: null,
    erasedAt: null,
    createdAt: birth,
    updatedAt: birth,
    steps: { initiated: birth },
    deadlines: deadlinesIn(status),
    held: paid.includes(status) || status === "cancelled" ? 110_000 : 0,
    moneySent: status === "completed",
    sellerDestination: true,
    ...patch,
  };
}

function deadlinesIn(status: Status): Trade["deadlines"] {
  switch (status) {
    case "payment_confirmed":
      return { hand_over: later(23) };
    case "settlement_pending":
      return { payout: later(2) };
    case "disputed":
      return {
        hand_over: { ...later(22), pausedAt: birth },
        dispute_statements: later(23),
        dispute_ruling: later(47),
      };
    case "exchange_completed":
      return { seller_finish: later(11) };
    case "completed":
    case "cancelled":
      return {};
    default:
      return { payment_window: later(1) };
  }
}

export { tradeStatuses };
