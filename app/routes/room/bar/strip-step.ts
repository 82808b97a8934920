import { turnForRole } from "../../../ui/trade/progress/trade-words.ts";
import type { PanelProps } from "../../../ui/trade/types.ts";

/** The labels of the strip's button, below `room.strip.do`. */
type StripLabel =
  | "request"
  | "pay"
  | "check"
  | "handOver"
  | "receive"
  | "confirm"
  | "account"
  | "explain"
  | "answer";

/** What the strip's button does: lead to a form of the trade, or post a form that is a single press. */
export type StripStep = {
  label: StripLabel;
  /** The element of the trade that the button leads to. */
  anchor: string;
  /** The form that the button posts itself. */
  press?: string;
};

const stepsByTurn: Readonly<Record<string, StripStep>> = {
  buyer_pay: { label: "pay", anchor: "next" },
  buyer_pay_rest: { label: "pay", anchor: "next" },
  buyer_pay_again: { label: "pay", anchor: "next" },
  buyer_pay_pending: { label: "pay", anchor: "next" },
  seller_hand_over: { label: "handOver", anchor: "next" },
  buyer_confirm: { label: "receive", anchor: "next" },
  seller_confirm: { label: "confirm", anchor: "next" },
  seller_destination: { label: "account", anchor: "next" },
  buyer_refund_account: { label: "account", anchor: "next" },
  buyer_explain: { label: "explain", anchor: "next" },
  seller_explain: { label: "explain", anchor: "next" },
  buyer_answer_cancel: { label: "answer", anchor: "next" },
  seller_answer_cancel: { label: "answer", anchor: "next" },
};

/** The reader's next step; null if it is not their turn. */
export function stripStepOf({ trade, role, canCreate }: Pick<PanelProps, "trade" | "role" | "canCreate">) {
  if (trade === null) return canCreate ? requestStep : null;
  const { own, turn } = turnForRole(trade, role);
  // While the provider processes a payment it is not the buyer's turn, but the button still asks the provider.
  if (!own) return trade.status === "payment_processing" && trade.can.verify ? verifyStep : null;
  return stepsByTurn[turn] ?? null;
}

const requestStep: StripStep = { label: "request", anchor: "next" };
const verifyStep: StripStep = { label: "check", anchor: "next", press: "verify" };
