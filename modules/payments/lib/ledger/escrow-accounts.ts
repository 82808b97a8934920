import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";

/** What ledger and records say of one reference's escrow, in tugrik. */
export type EscrowAccount = {
  reference: Reference;
  /** Booked for it, of payments; what was undone since is none of it. */
  received: number;
  /** Of payments that were booked for it and are undone: taken back by the provider, or the same money as another. */
  undone: number;
  /** Left it, by payouts and refunds with their fees; what was found not sent is none of it. */
  sent: number;
  /** To leave it still, by payouts and refunds that are due, approved or in doubt before they were posted. */
  owed: number;
  held: number;
};

/** The escrow accounts of references behind `after` up to `upTo` (without one: all behind it) that any money was ever booked for or promised from. */
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
