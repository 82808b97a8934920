import type { FillContext } from "./fill-context.ts";

/**
 * Puts the rows that were written in bulk into the log, as a command does with each change: a verification names a row of which no entry
 * tells.
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
