import {
  decideCancellation,
  decideCompletion,
  decideHiding,
  decideMoneyLeft,
  decideSellerPayment,
} from "./administrator-commands.ts";
import {
  decideCancellationRequest,
  decideCancellationWithdrawal,
  decideGoodsTaking,
} from "./cancellation.ts";
import { decideConfirmation, decideHandOver } from "./completion.ts";
import { refuseCommand } from "./decision-helpers.ts";
import { decideDisputeOpening, decideDisputeWithdrawal, decideRuling } from "./dispute.ts";
import { decideExpiry } from "./expire-trade.ts";
import {
  decideAmendment,
  decideInvoice,
  decideMarkedPaid,
  decidePaymentCheck,
  decideWithdrawal,
} from "./payment.ts";
import type { CommandKind, Decision, GivenCommand, Party, Rejection, Trade, Who } from "./trade-types.ts";

const partyOnly = { may: ["buyer", "seller"], otherwise: "PARTY_ONLY" } as const;
const adminOnly = { may: ["admin"], otherwise: "ADMIN_REQUIRED" } as const;
const sellerOnly = { may: ["seller"], otherwise: "SELLER_ONLY" } as const;

/** Who may give each command, and the refusal for everyone else. */
export const commandGivers: Record<CommandKind, { may: readonly Who[]; otherwise: Rejection }> = {
  amend: sellerOnly,
  withdraw: sellerOnly,
  issue_invoice: partyOnly,
  mark_paid: { may: ["buyer"], otherwise: "BUYER_ONLY" },
  payment_checked: { may: ["buyer", "provider", "clock", "admin"], otherwise: "BUYER_ONLY" },
  expire: { may: ["clock"], otherwise: "NOT_AUTHORIZED" },
  hand_over: sellerOnly,
  take_goods: { may: ["buyer"], otherwise: "BUYER_ONLY" },
  confirm: partyOnly,
  request_cancellation: partyOnly,
  withdraw_cancellation: partyOnly,
  open_dispute: partyOnly,
  withdraw_dispute: partyOnly,
  rule: adminOnly,
  complete: adminOnly,
  pay_seller: adminOnly,
  cancel: adminOnly,
  money_left: adminOnly,
  hide: adminOnly,
};

/**
 * The state machine of a trade, and the only place where its state changes. Pure: it depends only on the trade, the command and the time.
 * The caller holds the trade's lock, writes the result and carries out the effects, all in one transaction. It checks first who gives the
 * command, then the state, then everything else, and last the trade's hold.
 */
export function decideCommand(trade: Trade, command: GivenCommand, now: Date): Decision {
  const { may, otherwise } = commandGivers[command.kind];
  if (!may.includes(command.who)) return refuseCommand(otherwise, trade);
  const decision = decideOpen(trade, command, now);
  return isStoppedByHold(trade, command, decision) ? refuseCommand("TRADE_ON_HOLD", trade) : decision;
}

/**
 * Commands that a hold stops: a new payment request or QR code, and any end of the trade, see docs/decisions/0008-holds-are-one-table.md.
 */
const commandsStoppedByHold: ReadonlySet<CommandKind> = new Set([
  "amend",
  "withdraw",
  "issue_invoice",
  "expire",
  "complete",
  "cancel",
]);

/** A hold does not change refusals and repetitions. That money has left is a fact: it is recorded, and closes the trade, in any case. */
function isStoppedByHold(trade: Trade, { kind }: GivenCommand, decision: Decision): boolean {
  if (trade.holds.length === 0 || !decision.ok || !decision.changed || kind === "money_left") return false;
  return commandsStoppedByHold.has(kind) || (trade.endedAt === null && decision.trade.endedAt !== null);
}

/** Decides a command as if the trade were not on hold. */
function decideOpen(trade: Trade, command: GivenCommand, now: Date): Decision {
  // A party, in every case that uses it: only parties may give those commands.
  const who = command.who as Party;
  switch (command.kind) {
    case "amend":
      return decideAmendment(trade, command, now);
    case "withdraw":
      return decideWithdrawal(trade, now);
    case "issue_invoice":
      return decideInvoice(trade, command, now);
    case "mark_paid":
      return decideMarkedPaid(trade, now);
    case "payment_checked":
      return decidePaymentCheck(trade, command, now);
    case "expire":
      return decideExpiry(trade, command, now);
    case "hand_over":
      return decideHandOver(trade, command, now);
    case "take_goods":
      return decideGoodsTaking(trade, now);
    case "confirm":
      return decideConfirmation(trade, command, who, now);
    case "request_cancellation":
      return decideCancellationRequest(trade, who, now);
    case "withdraw_cancellation":
      return decideCancellationWithdrawal(trade, who, now);
    case "open_dispute":
      return decideDisputeOpening(trade, who, now);
    case "withdraw_dispute":
      return decideDisputeWithdrawal(trade, who, now);
    case "rule":
      return decideRuling(trade, command, now);
    case "complete":
      return decideCompletion(trade, now);
    case "pay_seller":
      return decideSellerPayment(trade, now);
    case "cancel":
      return decideCancellation(trade, command, now);
    case "money_left":
      return decideMoneyLeft(trade, now);
    case "hide":
      return decideHiding(trade, now);
  }
}
