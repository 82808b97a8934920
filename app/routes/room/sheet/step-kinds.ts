import { hasCompletionContent, isHandedOverInGame } from "../../../ui/trade/completion/completion-content.ts";
import { turnForRole } from "../../../ui/trade/progress/trade-words.ts";
import type { TradePanelProps } from "../../../ui/trade/types.ts";

type StepOf = Pick<TradePanelProps, "trade" | "role">;

/** The form that is shown first; null if the reader can only wait. */
export type StepKind = "refund" | "explain" | "pay" | "answer" | "account" | "complete" | "again" | null;

/** What the reader is shown first: what only they can do, else what they wait for. */
export function findNextStep({ trade, role }: StepOf): StepKind {
  if (needsRefundAccount({ trade, role })) return "refund";
  // Another trade is offered once nothing of this one is left to do: no refund and no transfer is on its way.
  if (trade.over) return trade.turn === "none" ? "again" : null;
  if (trade.status === "disputed") return "explain";
  if (trade.standing.money === "waiting") return "pay";
  if (answersCancellation({ trade, role })) return "answer";
  if (needsPayoutAccount({ trade, role })) return "account";
  if (trade.standing.money !== "held" || trade.status === "settlement_pending") return null;
  return hasCompletionContent({ trade, role }) ? "complete" : null;
}

/** Midman owes the buyer a refund and does not know where to. */
function needsRefundAccount({ trade, role }: StepOf): boolean {
  return role === "buyer" && trade.can.refundDestination && trade.refund?.accountGiven === false;
}

/**
 * The other party asks to cancel: the trade goes on only once that is answered, or the reader carries on with it. While Midman checks the
 * trade, nobody can agree, and what the check forbids is more important than declining.
 */
function answersCancellation({ trade, role }: StepOf): boolean {
  return trade.can.agreeCancellation && turnForRole(trade, role).turn === `${role}_answer_cancel`;
}

/** The payout waits only for the seller's account. */
function needsPayoutAccount({ trade, role }: StepOf): boolean {
  return turnForRole(trade, role).turn === "seller_destination" && role === "seller" && trade.can.bankInfo;
}

/** Whether the vault belongs to the next step: the seller may fill it, or the buyer opens it before confirming. */
export function showsVault({ trade, role }: StepOf): boolean {
  if (findNextStep({ trade, role }) !== "complete" || trade.confirmed[role] !== null) return false;
  const { vault, can, heldForChecking } = trade;
  if (role === "seller")
    return vault.state === "none" && can.seal && !heldForChecking && !isHandedOverInGame(trade);
  return vault.state === "sealed" || vault.state === "opened";
}
