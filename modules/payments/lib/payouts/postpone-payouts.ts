import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { lockReference } from "../ledger/balances.ts";
import { payoutsTable } from "../schema/money.ts";
import { waitingPayouts } from "./payout-queue.ts";

/**
 * After Midman was down for `gap` ms, until `at`: postpones every waiting payout and refund by that time, unless it was overdue before.
 * Returns their number. A caller that also locks deadlines must lock the deadlines first.
 */
export async function postponeDuePayouts(tx: Tx, gap: number, at: Date): Promise<number> {
  const ran = and(waitingPayouts, gt(payoutsTable.dueAt, new Date(at.getTime() - gap)));
  const dueAt = sql`${payoutsTable.dueAt} + make_interval(secs => ${gap / 1000})`;
  const found = await tx
    .selectDistinct({ reference: payoutsTable.reference })
    .from(payoutsTable)
    .where(ran)
    .orderBy(asc(payoutsTable.reference));
  let moved = 0;
  for (const { reference } of found) {
    await lockReference(tx, reference);
    const rows = await tx
      .update(payoutsTable)
      .set({ dueAt })
      .where(and(eq(payoutsTable.reference, reference), ran))
      .returning({ id: payoutsTable.id });
    moved += rows.length;
  }
  return moved;
}
