import { db } from "#db/client";
import { defineJob } from "#db/jobs";
import { openDifferences } from "#modules/payments";
import { checkPayment } from "./check-payment.ts";

/** A confirmation by hand is rare; more than so many in one morning are none. */
const MOST = 50;

/** Shortly before the morning's comparison, which then finds those gone that have met their payment. */
defineJob("escrow.ask-by-hand", askByHand, { cron: "0 23 * * *" });

/**
 * Asks the provider about the trades that were confirmed by hand and that it has not shown since: what it lists by now meets
 * its confirmation, and is not booked again.
 */
export async function askByHand(): Promise<void> {
  const open = await openDifferences(db(), MOST, "by_hand");
  for (const reference of new Set(open.flatMap((one) => one.reference ?? []))) {
    await checkPayment(reference, "reconciler", { force: true });
  }
}
