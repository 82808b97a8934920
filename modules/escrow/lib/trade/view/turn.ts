import type { z } from "zod";
import { isMoneyStillToSend, type Payout } from "#modules/payments";
import { accountMissing } from "../../backoffice/payouts/refund-deadlines.ts";
import { type Party, type Trade, unpaidStatuses } from "../../machine/trade-types.ts";
import type { turnSchema } from "./responses.ts";

export type Turn = z.output<typeof turnSchema>;

/** The columns and facts from which the turn is computed. */
type TurnFacts = Pick<
  Trade,
  "status" | "buyerCancelAt" | "sellerCancelAt" | "handedOverAt" | "sellerDestination"
>;

/**
 * Whose turn it is in a trade, including a refund on its way to the buyer. `awaited`: the parties who still have to explain a dispute,
 * while the time to do so runs; only after that does the mediator decide.
 */
export function turnOf(trade: TurnFacts, payouts: readonly Payout[], awaited: readonly Party[] = []): Turn {
  if (unpaidStatuses.includes(trade.status)) return "buyer_pay";
  switch (trade.status) {
    case "payment_confirmed":
      if (trade.buyerCancelAt !== null) return "seller_answer_cancel";
      if (trade.sellerCancelAt !== null) return "buyer_answer_cancel";
      return trade.handedOverAt === null ? "seller_hand_over" : "buyer_confirm";
    case "exchange_completed":
      return trade.sellerDestination ? "seller_confirm" : "seller_destination";
    case "settlement_pending":
      if (accountMissing(payouts)) return "buyer_refund_account";
      return trade.sellerDestination ? "admin" : "seller_destination";
    case "disputed": {
      const [side] = awaited;
      return side === undefined ? "admin" : `${side}_explain`;
    }
    default:
      if (accountMissing(payouts)) return "buyer_refund_account";
      return isMoneyStillToSend(payouts) ? "admin" : "none";
  }
}
