import { addDeadline, deadlineHours } from "./deadline-times.ts";
import { pickFigures } from "./decision-helpers.ts";
import type { Trade, TradeFigures } from "./trade-types.ts";

/** A new trade: both parties known, the amounts fixed, and 24 hours to get its first invoice. */
export function beginTrade(
  given: {
    code: string;
    roomId: number;
    buyerId: number;
    sellerId: number;
    figures: TradeFigures;
    goods: Trade["goods"];
    description: string | null;
  },
  now: Date,
): Omit<Trade, "id"> {
  const { figures, ...parties } = given;
  return {
    ...parties,
    ...pickFigures(figures),
    status: "initiated",
    invoiceId: null,
    rolesLockedAt: null,
    markedPaidAt: null,
    confirmedAt: null,
    handedOverAt: null,
    handOverNote: null,
    receivedOtherwiseAt: null,
    buyerCompletedAt: null,
    sellerCompletedAt: null,
    buyerCancelAt: null,
    sellerCancelAt: null,
    dispute: null,
    endReason: null,
    endedAt: null,
    hiddenAt: null,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
    onHoldSince: null,
    steps: { initiated: now },
    deadlines: addDeadline({}, "payment_window", now, deadlineHours.firstInvoice),
    held: 0,
    moneySent: false,
    sellerDestination: false,
    holds: [],
  };
}
