import { type SQL, sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { openPaidTrade, payAt, requestPayment } from "../../support/trades/server-trades.ts";
import type { Office } from "./plant.ts";

/** What the provider's list may say otherwise than our books, and how often the day has it. */
export const causes = {
  missing_here: "Paid at QPay, not booked with us",
  missing_there: "Booked with us, unknown to QPay",
  amount: "The amounts differ",
  status: "Booked with us, not paid at QPay",
  refunded_there: "Refunded at QPay, still booked with us",
  uncountable: "QPay lists something that can't be counted",
  duplicate: "The same invoice was paid twice",
  by_hand: "Confirmed manually, not shown by QPay since",
} as const;

/** Plants one of each, but for the one confirmed manually, which the day has made itself. */
export async function plantDifferences({ server, ...people }: Office): Promise<void> {
  const unbooked = async (told: object) => {
    const deal = await requestPayment(server, people);
    await payAt(deal.buyer, deal.invoiceId, { callback: false, ...told });
  };
  /** Paid and booked; then the provider's own books change. */
  const altered = async (...changes: SQL[]) => {
    const { invoiceId } = await openPaidTrade(server, people);
    const its = sql`(SELECT payments.id FROM sandbox.payments JOIN sandbox.invoices ON invoices.id = invoice_id
      WHERE sender_invoice_no LIKE ${`${invoiceId}%`})`;
    for (const change of changes) await db().execute(sql`${change} IN ${its}`);
  };
  const twice = async () => {
    const deal = await openPaidTrade(server, people);
    await payAt(deal.buyer, deal.invoiceId, { callback: false });
  };
  await Promise.all([
    unbooked({}),
    unbooked({ status: "PARTIAL" }),
    altered(sql`DELETE FROM sandbox.deliveries WHERE payment_id`, sql`DELETE FROM sandbox.payments WHERE id`),
    altered(sql`UPDATE sandbox.payments SET amount = amount - 1000 WHERE id`),
    altered(sql`UPDATE sandbox.payments SET status = 'FAILED' WHERE id`),
    altered(sql`UPDATE sandbox.payments SET status = 'REFUNDED' WHERE id`),
    twice(),
  ]);
}
