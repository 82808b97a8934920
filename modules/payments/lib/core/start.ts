import { and, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { withdrawEndedInvoices } from "../invoices/cancel-invoices.ts";
import { startReconciling } from "../reconciliation/daily-run.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import { measureMoney } from "../treasury/metrics.ts";

const DAY_MS = 24 * 3_600_000;

/** Begins the quarter-hourly withdrawal of ended invoices whose cancelling the provider left unanswered, and the daily comparison. */
export async function startPayments(): Promise<void> {
  defineJob("payments.withdraw", () => withdrawUnansweredInvoices(currentTime()), { cron: "*/15 * * * *" });
  startReconciling();
  measureMoney();
}

/** Tries again, for a day after their end, what the provider has not confirmed as withdrawn. */
export async function withdrawUnansweredInvoices(at: Date): Promise<void> {
  const left = await db()
    .selectDistinct({ reference: invoicesTable.reference })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(
      and(
        eq(invoicesTable.state, "cancelled"),
        gt(invoicesTable.endedAt, new Date(at.getTime() - DAY_MS)),
        isNotNull(providerInvoicesTable.providerId),
        isNull(providerInvoicesTable.withdrawal),
      ),
    );
  for (const { reference } of left) await withdrawEndedInvoices(reference);
}
