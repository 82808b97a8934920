import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { maskNumber } from "#format";
import type { Payout } from "#modules/payments";
import type { Party } from "../../machine/trade-types.ts";
import type { dueSchema, refundAccountSchema } from "./responses.ts";

export type Due = z.output<typeof dueSchema>;
type RefundAccount = z.output<typeof refundAccountSchema>;

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
    payoutSent: toSeller.length > 0 && toSeller.every(isSent),
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

/**
 * The account of the buyer's refund, for the buyer alone: of what is still to be sent, or else of what was sent. Null while it has none,
 * once it was erased, and where the parts of the refund go to different accounts.
 */
export function refundAccountOf(payouts: readonly Payout[], reader: Party): RefundAccount | null {
  if (reader !== "buyer") return null;
  const refunds = payouts.filter(({ kind, state }) => kind === "refund" && state !== "void");
  const unsent = refunds.filter((refund) => !isSent(refund));
  const accounts = (unsent.length > 0 ? unsent : refunds).flatMap(
    (refund) => accountForRecipient(refund) ?? [],
  );
  const [first, ...others] = accounts;
  if (first === undefined || others.some((other) => !isDeepStrictEqual(other, first))) return null;
  return first;
}

/**
 * The account of a payment out, as its recipient sees it; null without one. Of an account that an administrator named, which may be another
 * person's, that is what the mail says: the bank and the last digits.
 */
export function accountForRecipient({ destination, namedBy }: Payout): RefundAccount | null {
  if (destination === null) return null;
  const { bankName, accountName, accountNumber, iban = null } = destination;
  if (namedBy === null) return { bankName, accountName, accountNumber, iban, byAdministrator: false };
  const masked = maskNumber(accountNumber);
  return { bankName, accountName: null, accountNumber: masked, iban: null, byAdministrator: true };
}
