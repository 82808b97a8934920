import type { z } from "zod";
import type { Payout } from "#modules/payments";
import type { dueSchema } from "./responses.ts";

export type Due = z.output<typeof dueSchema>;

const isSent = ({ state }: Payout) => state === "sent" || state === "done";

/** When the last of these records was sent, ISO 8601; null if none has a time. */
function lastSentAt(records: readonly Payout[]): string | null {
  return (
    records
      .flatMap(({ sentAt }) => sentAt?.toISOString() ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/** What is due to each party, from the trade's payouts; void ones do not count. */
export function dueOf(payouts: readonly Payout[]): Due {
  const live = (kind: Payout["kind"]) =>
    payouts.filter((payout) => payout.kind === kind && payout.state !== "void");
  const sum = (of: Payout[]) => of.reduce((total, { amount }) => total + amount, 0);
  const [toSeller, back] = [live("payout"), live("refund")];
  const unsent = back.filter((refund) => !isSent(refund));
  return {
    payoutAmount: toSeller.length === 0 ? null : sum(toSeller),
    refund:
      back.length === 0
        ? null
        : {
            // Nobody is promised again what was sent before, such as an excess.
            amount: sum(unsent.length > 0 ? unsent : back),
            sent: unsent.length === 0,
            sentAt: unsent.length === 0 ? lastSentAt(back) : null,
            accountGiven: unsent.every(({ destination, state }) => destination !== null || state !== "due"),
          },
  };
}
