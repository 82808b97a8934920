import { and, eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import type { ProviderReport, Reference } from "../provider/provider-types.ts";
import { paymentKey } from "../received/payment-key.ts";
import { paymentsTable } from "../schema/money.ts";
import { openHolds, paymentSubject } from "./open-holds.ts";

/**
 * Puts a trade on hold (PAYMENT_ANNOUNCED) if the payment that a callback named is neither booked nor in the provider's latest report.
 * Returns whether it is. The provider's list lags behind its callbacks, and the trade must not end as unpaid in between. The first report
 * that lists the payment ends the hold.
 */
export async function holdUnlessPaymentKnown(
  reference: Reference,
  providerPaymentId: string,
  { listed, problems }: Pick<ProviderReport, "listed" | "problems">,
  at: Date,
): Promise<boolean> {
  const key = paymentKey(providerPaymentId);
  if (listed.includes(key) || problems.some((one) => paymentKey(one.providerPaymentId) === key)) return true;
  const booked = and(eq(paymentsTable.reference, reference), eq(paymentsTable.providerPaymentKey, key));
  if ((await db().$count(paymentsTable, booked)) > 0) return true;
  const subject = paymentSubject(providerPaymentId);
  const hold = { reference, reason: "PAYMENT_ANNOUNCED" as const, subject, facts: { providerPaymentId } };
  await runInTransaction((tx) => openHolds(tx, [hold], at));
  return false;
}
