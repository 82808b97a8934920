import { db } from "#db/client";
import { defineJob } from "#db/jobs";
import { unmatchedManualReferences } from "#modules/payments";
import { checkPayment } from "../../payment/check-payment.ts";

/** How many are asked about per run, those asked longest ago first; manual confirmations are rare. */
const MOST = 50;

/** Runs shortly before the morning's reconciliation, which then finds that matched confirmations are no longer differences. */
defineJob("escrow.ask-by-hand", () => checkManualPayments(), { cron: "0 23 * * *" });

/**
 * Asks the provider about trades that were confirmed manually and whose payment it has not listed since. A payment that it lists by now is
 * matched with its confirmation, and not booked again.
 */
export async function checkManualPayments(most = MOST): Promise<void> {
  for (const reference of await unmatchedManualReferences(db(), most)) {
    await checkPayment(reference, "reconciler", { force: true });
  }
}
