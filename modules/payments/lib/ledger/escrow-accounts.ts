import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";

/** One reference's escrow by the records and by the ledger, in ₮. */
export type EscrowAccount = {
  reference: Reference;
  /** Booked payments; without those undone since. */
  received: number;
  /** Booked payments that were undone: the provider took them back, or they were the same money as a manual confirmation. */
  undone: number;
  /** Payouts and refunds that were sent, with their fees; without those found not sent. */
  sent: number;
  /** Payouts and refunds still to be posted, with their fees: due, approved, or in doubt before they were posted. */
  owed: number;
  held: number;
};

/** The escrow accounts of the references after `after` and up to `upTo` (null: no upper limit) that have any payment, payout or refund. */
export async function escrowAccounts(
  tx: Tx,
  { after, upTo }: { after: Reference; upTo: Reference | null },
): Promise<EscrowAccount[]> {
  const within = sql`reference > ${after}::bigint AND reference <= coalesce(${upTo}::bigint, 9223372036854775807)`;
  const rows = await tx.execute<Record<keyof EscrowAccount, string>>(sql`
    WITH incoming AS (
      SELECT reference, sum(to_escrow) FILTER (WHERE num_nonnulls(same_as, taken_back_at) = 0) AS received,
        sum(to_escrow) FILTER (WHERE num_nonnulls(same_as, taken_back_at) > 0) AS undone
      FROM payments.payments WHERE ${within} GROUP BY reference
    ), outgoing AS (
      SELECT reference, sum(amount + fee) FILTER (WHERE sent_at IS NOT NULL) AS sent,
        sum(amount + fee) FILTER (WHERE sent_at IS NULL) AS owed
      FROM payments.payouts WHERE source = 'escrow' AND state <> 'void' AND ${within} GROUP BY reference
    )
    SELECT reference, coalesce(received, 0) AS received, coalesce(undone, 0) AS undone, coalesce(sent, 0) AS sent, coalesce(owed, 0) AS owed,
      coalesce(b.balance, 0) AS held
    FROM incoming FULL JOIN outgoing USING (reference) LEFT JOIN payments.balances b ON b.account = 'escrow:' || reference`);
  return rows.map((row) => ({
    reference: Number(row.reference),
    received: Number(row.received),
    undone: Number(row.undone),
    sent: Number(row.sent),
    owed: Number(row.owed),
    held: Number(row.held),
  }));
}
