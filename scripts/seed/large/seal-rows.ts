import type { FillContext } from "./fill-context.ts";

/**
 * Records the rows that were written in bulk in the log, as verbs do with each change: a verification reports a row that no entry mentions.
 */
export async function sealRows({ sql }: FillContext): Promise<void> {
  for (const [action, table, digest] of [
    ["trades_digested", "escrow.trades", "escrow.trade_digest"],
    ["transfers_digested", "payments.payouts", "payments.payout_digest"],
  ]) {
    await sql.unsafe(`
      INSERT INTO audit.entries (at, action, data)
      SELECT now(), '${action}', jsonb_build_object('digests', jsonb_object_agg(r.id, ${digest}(r))) FROM ${table} r GROUP BY r.id / 500`);
  }
}
