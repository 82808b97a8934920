import type { MoneyStatus } from "../../../ui/trade/progress/money-state.tsx";

/** What Midman says of a code to anybody. Times are ISO 8601. */
export interface CodeAnswer {
  code: string;
  goods: "account" | "licence" | "key" | "item" | "other";
  state:
    | "waiting"
    | "confirmed"
    | "handedOver"
    | "buyerConfirmed"
    | "paying"
    | "paidOut"
    | "closed"
    | "disputed"
    | "cancelled"
    | "refunding"
    | "checking"
    | "refunded";
  money: MoneyStatus;
  held: boolean;
  partHeld: boolean;
  changedAt: string;
  askedAt: string;
}
