import { and, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { withdrawEndedInvoices } from "../invoices/cancel-invoices.ts";
import { startReconciling } from "../reconciliation/daily-run.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import { measureMoney } from "../treasury/metrics.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Starts the module's jobs: every 15 minutes the withdrawal of cancelled invoices that the provider has not confirmed, and every day the
 * reconciliation. Registers the module's metrics.
 */
export async function startPayments(): Promise<void> {
  defineJob("payments.withdraw", () => withdrawUnansweredInvoices(currentTime()), { cron: "*/15 * * * *" });
  startReconciling();
  measureMoney();
}

/** Tries again, for 24 hours after an invoice was cancelled, each withdrawal that the provider has not confirmed. */
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
