import type { MoneyStatus } from "../../../ui/trade/progress/money-state.tsx";

/** What Midman tells anyone about a code. Times are ISO 8601. */
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
