import { db } from "#db/client";
import { defineJob } from "#db/jobs";
import { unmatchedManualReferences } from "#modules/payments";
import { checkPayment } from "../../payment/check-payment.ts";

/** A confirmation by hand is rare; where more than so many wait, they take turns. */
const MOST = 50;

/** Shortly before the morning's comparison, which then finds those gone that have met their payment. */
defineJob("escrow.ask-by-hand", () => checkManualPayments(), { cron: "0 23 * * *" });

/**
 * Asks the provider about the trades that were confirmed by hand and that it has not shown since: what it lists by now meets
 * its confirmation, and is not booked again.
 */
export async function checkManualPayments(most = MOST): Promise<void> {
  for (const reference of await unmatchedManualReferences(db(), most)) {
    await checkPayment(reference, "reconciler", { force: true });
  }
}
