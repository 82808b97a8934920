import { and, eq } from "drizzle-orm";
import { db, transaction } from "#db/client";
import type { ProviderReport, Reference } from "../provider/provider-types.ts";
import { paymentKey } from "../received/payment-key.ts";
import { payments } from "../schema/money.ts";
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
  const booked = and(eq(payments.reference, reference), eq(payments.providerPaymentKey, key));
  if ((await db().$count(payments, booked)) > 0) return true;
  const subject = paymentSubject(providerPaymentId);
  const hold = { reference, reason: "PAYMENT_ANNOUNCED" as const, subject, facts: { providerPaymentId } };
  await transaction((tx) => openHolds(tx, [hold], at));
  return false;
}
