import type { TFunction } from "i18next";
import type { Money } from "../money-state.tsx";

/** A language with its translator: this page speaks both at once. */
export interface Spoken {
  language: "en" | "mn";
  t: TFunction;
}

/** What Midman says of a code to anybody. Times are ISO 8601. */
export interface Answer {
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
  money: Money;
  held: boolean;
  partHeld: boolean;
  changedAt: string;
  askedAt: string;
}
