import type { RoomProgress } from "#views/escrow";
import { formatInlineMoney, moneyForRole } from "./trade-words.ts";

/** What the texts about a trade depend on, for a list that has no more than its progress. */
export function pickTradeWords(progress: RoomProgress) {
  const { status, turn, over, due, heldForChecking, tradeChecked } = progress;
  return {
    status,
    turn,
    over,
    heldForChecking,
    tradeChecked,
    standing: progress.standing,
    gross: progress.grossAmount,
    net: progress.netAmount,
    booked: progress.paidAmount,
    toSeller: due.payoutAmount ?? progress.netAmount,
    payoutSent: due.payoutSent,
    refund: due.refund,
  };
}

/**
 * What the reader paid, got or was refunded in a trade, or will: the amount and the key of its label. Where no money came, the price, with
 * a label that says so. The amounts are the ledger's, as `readRoomProgress` reads them.
 */
export function findOwnAmount(progress: RoomProgress): { label: string; sum: string; paid: boolean } {
  const { role } = progress;
  const words = pickTradeWords(progress);
  if (words.standing.money === "none") {
    return { label: `chat.outcome.${role}.none`, sum: formatInlineMoney(progress.grossAmount), paid: false };
  }
  const found = moneyForRole(words, role).amount;
  return found === null
    ? { label: "history.amount", sum: formatInlineMoney(progress.grossAmount), paid: true }
    : { label: found.label, sum: found.sum.replaceAll(" ", "\u00a0"), paid: true };
}
