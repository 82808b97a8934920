import type { Payout } from "#modules/payments";

const refundWords: Record<string, string> = { approved: "refundApproved", settled: "refundSettled" };

/** The word of a step that was taken: a refund is not called a payout. */
export function namePayoutStep(word: string, { kind }: Pick<Payout, "kind">): string {
  return kind === "refund" ? (refundWords[word] ?? word) : word;
}
