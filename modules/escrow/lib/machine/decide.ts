import {
  decideCancellation,
  decideCompletion,
  decideHiding,
  moneyLeft,
  paySeller,
} from "./administrator-commands.ts";
import { requestCancellation, takeGoods, withdrawCancellation } from "./cancellation.ts";
import { decideConfirmation, decideHandOver } from "./completion.ts";
import { refuseCommand } from "./decision-helpers.ts";
import { openDispute, rule, withdrawDispute } from "./dispute.ts";
import { expire } from "./expire-trade.ts";
import {
  decideAmendment,
  decideMarkedPaid,
  decideWithdrawal,
  issueInvoice,
  paymentChecked,
} from "./payment.ts";
import type { CommandKind, Decision, GivenCommand, Party, Rejection, Trade, Who } from "./trade-types.ts";

const party = { may: ["buyer", "seller"], otherwise: "PARTY_ONLY" } as const;
const admin = { may: ["admin"], otherwise: "ADMIN_REQUIRED" } as const;
const seller = { may: ["seller"], otherwise: "SELLER_ONLY" } as const;

/** Who may give each command, and what anybody else is told (design §5, column "who"). */
export const givers: Record<CommandKind, { may: readonly Who[]; otherwise: Rejection }> = {
  amend: seller,
  withdraw: seller,
  issue_invoice: party,
  mark_paid: { may: ["buyer"], otherwise: "BUYER_ONLY" },
  payment_checked: { may: ["buyer", "provider", "clock", "admin"], otherwise: "BUYER_ONLY" },
  expire: { may: ["clock"], otherwise: "NOT_AUTHORIZED" },
  hand_over: seller,
  take_goods: { may: ["buyer"], otherwise: "BUYER_ONLY" },
  confirm: party,
  request_cancellation: party,
  withdraw_cancellation: party,
  open_dispute: party,
  withdraw_dispute: party,
  rule: admin,
  complete: admin,
  pay_seller: admin,
  cancel: admin,
  money_left: admin,
  hide: admin,
};

/**
 * The trade's machine, and the only place where its state changes (design §5). Pure: everything it goes by is in the trade,
 * the command and the time. The caller holds the trade's lock, writes what is answered and carries out the effects, all
 * in one transaction. Rejects first: who asks, then the state, then the rest, and last the trade's hold.
 */
export function decide(trade: Trade, command: GivenCommand, now: Date): Decision {
  const { may, otherwise } = givers[command.kind];
  if (!may.includes(command.who)) return refuseCommand(otherwise, trade);
  const decision = decideOpen(trade, command, now);
  return isHeldBack(trade, command, decision) ? refuseCommand("TRADE_ON_HOLD", trade) : decision;
}

/** What would set a trade that is on hold in motion: a new request or QR, and any end (design §4 "A trade's hold"). */
const heldBack: ReadonlySet<CommandKind> = new Set([
  "amend",
  "withdraw",
  "issue_invoice",
  "expire",
  "complete",
  "cancel",
]);

/** Refusals and repeats are answered as ever. That money has left is a fact: it is recorded, and closes the trade, in any case. */
function isHeldBack(trade: Trade, { kind }: GivenCommand, decision: Decision): boolean {
  if (trade.holds.length === 0 || !decision.ok || !decision.changed || kind === "money_left") return false;
  return heldBack.has(kind) || (trade.endedAt === null && decision.trade.endedAt !== null);
}

/** The same for a trade that nothing holds. */
function decideOpen(trade: Trade, command: GivenCommand, now: Date): Decision {
  // A party, wherever only parties may come this far.
  const who = command.who as Party;
  switch (command.kind) {
    case "amend":
      return decideAmendment(trade, command, now);
    case "withdraw":
      return decideWithdrawal(trade, now);
    case "issue_invoice":
      return issueInvoice(trade, command, now);
    case "mark_paid":
      return decideMarkedPaid(trade, now);
    case "payment_checked":
      return paymentChecked(trade, command, now);
    case "expire":
      return expire(trade, command, now);
    case "hand_over":
      return decideHandOver(trade, command, now);
    case "take_goods":
      return takeGoods(trade, now);
    case "confirm":
      return decideConfirmation(trade, command, who, now);
    case "request_cancellation":
      return requestCancellation(trade, who, now);
    case "withdraw_cancellation":
      return withdrawCancellation(trade, who, now);
    case "open_dispute":
      return openDispute(trade, who, now);
    case "withdraw_dispute":
      return withdrawDispute(trade, who, now);
    case "rule":
      return rule(trade, command, now);
    case "complete":
      return decideCompletion(trade, now);
    case "pay_seller":
      return paySeller(trade, now);
    case "cancel":
      return decideCancellation(trade, command, now);
    case "money_left":
      return moneyLeft(trade, now);
    case "hide":
      return decideHiding(trade, now);
  }
}
