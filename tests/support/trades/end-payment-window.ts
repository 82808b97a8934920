import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { type ServerTrade, untilStatus } from "./server-trades.ts";

/** Makes the payment window end now, as the clock would, and waits until the trade is cancelled. */
export async function endPaymentWindow(deal: ServerTrade): Promise<void> {
  const [row] = await db().execute<{ id: string }>(sql`
    UPDATE escrow.deadlines SET due_at = now() - interval '1 second', next_at = now() - interval '1 second', reminded = 9
    WHERE trade_id = ${deal.id} AND kind = 'payment_window' RETURNING id`);
  await db().execute(sql`
    UPDATE pgboss.job SET start_after = now() WHERE singleton_key = ${`deadline:${row?.id}`} AND state = 'created'`);
  await untilStatus(deal, "cancelled");
}
