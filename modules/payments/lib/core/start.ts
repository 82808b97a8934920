import { and, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { withdrawEnded } from "../invoices/cancel-invoices.ts";
import { startReconciling } from "../reconciliation/daily-run.ts";
import { invoices, providerInvoices } from "../schema/provider.ts";
import { measureMoney } from "../treasury/metrics.ts";

const DAY_MS = 24 * 3_600_000;

/** Begins the quarter-hourly withdrawal of ended invoices whose cancelling the provider left unanswered, and the daily comparison. */
export async function startPayments(): Promise<void> {
  defineJob("payments.withdraw", () => withdrawUnanswered(now()), { cron: "*/15 * * * *" });
  startReconciling();
  measureMoney();
}

/** Tries again, for a day after their end, what the provider has not confirmed as withdrawn. */
export async function withdrawUnanswered(at: Date): Promise<void> {
  const left = await db()
    .selectDistinct({ reference: invoices.reference })
    .from(providerInvoices)
    .innerJoin(invoices, eq(invoices.id, providerInvoices.invoiceId))
    .where(
      and(
        eq(invoices.state, "cancelled"),
        gt(invoices.endedAt, new Date(at.getTime() - DAY_MS)),
        isNotNull(providerInvoices.providerId),
        isNull(providerInvoices.withdrawal),
      ),
    );
  for (const { reference } of left) await withdrawEnded(reference);
}
