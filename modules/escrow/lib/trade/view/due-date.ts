import type { Payout } from "#modules/payments";

/** What a trade's money is due to, in tugrik: sums on their way and those that have left. */
export type Due = {
  /** To the seller; null while nothing is due. */
  payoutAmount: number | null;
  /** Back to the buyer, what came in beyond the price included; null while nothing goes back. */
  refund: { amount: number; sent: boolean; accountGiven: boolean } | null;
};

/** What is due to each side, from the trade's payouts; void ones are nobody's. */
export function dueOf(payouts: readonly Payout[]): Due {
  const live = (kind: Payout["kind"]) =>
    payouts.filter((payout) => payout.kind === kind && payout.state !== "void");
  const sum = (of: Payout[]) => of.reduce((total, { amount }) => total + amount, 0);
  const [toSeller, back] = [live("payout"), live("refund")];
  return {
    payoutAmount: toSeller.length === 0 ? null : sum(toSeller),
    refund:
      back.length === 0
        ? null
        : {
            amount: sum(back),
            sent: back.every(({ state }) => state === "sent" || state === "done"),
            accountGiven: back.every(({ destination, state }) => destination !== null || state !== "due"),
          },
  };
}
