import { and, eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import type { ProviderReport, Reference } from "../provider/provider-types.ts";
import { paymentKey } from "../received/payment-key.ts";
import { paymentsTable } from "../schema/money.ts";
import { openHolds, paymentSubject } from "./open-holds.ts";

/**
 * Puts a trade on hold (PAYMENT_ANNOUNCED) unless the payment that a callback of the provider named is booked or in its latest answer, and
 * returns whether it is. The provider's list lags, and the trade must not end as unpaid meanwhile. The first answer that lists the payment
 * ends the hold.
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
