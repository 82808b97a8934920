import { and, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import { db } from "#db/client";
import { getProviderClient, noProvider } from "../qpay/client.ts";
import { checkInvoice } from "../qpay/payment.ts";
import { type ProviderInvoiceRow, providerInvoicesTable, type StoredAnswer } from "../schema/provider.ts";
import { ASK_EVERY_MS, type KnownInvoice, nextAskTime } from "./known-invoices.ts";
import type { PaidRow, PaymentProblem } from "./provider-types.ts";
import { recordAnswer, recordNoAnswer } from "./record-report.ts";
import { sortRows } from "./sort-paid-rows.ts";

/** The state of one invoice at the provider: from this check, or from the last reply if the one-minute limit forbids a new one. */
export type CheckedInvoice = {
  complete: boolean;
  /** A row could not be read: the result of the whole check is unknown until an administrator has seen the row. */
  unread: boolean;
  rows: PaidRow[];
  problems: PaymentProblem[];
  failed: number;
  pending: number;
  listed: string[];
  /** True if this call sent a request to the provider. */
  reached: boolean;
  asOf: Date | null;
  retryAt: Date | null;
};

const CHECK_MS = 25_000;
const LEASE_SECONDS = 30;
const WAIT_MS = (LEASE_SECONDS + 1) * 1000;

/** Checks one invoice under its lease, or returns the reply to another caller's check that began after this call. */
export async function checkInvoiceOnce(
  seen: KnownInvoice,
  now: Date,
  force: boolean,
): Promise<CheckedInvoice> {
  const until = Date.now() + WAIT_MS;
  for (let wait = 20; ; wait = Math.min(400, wait * 1.6)) {
    const mine = await claimInvoiceLease(seen.id, now, force);
    if (mine) return askProvider({ ...seen, ...mine }, now);
    const row = await readProviderInvoice(seen.id);
    if (row.endedAsk > seen.asks) return answerFromStore(row, now, null);
    const retryAt = force ? null : nextAskTime(row, now);
    if (retryAt !== null) return answerFromStore(row, now, retryAt);
    if (Date.now() > until) return { ...answerFromStore(row, now, null), complete: false };
    await Bun.sleep(wait);
  }
}

/**
 * Takes the invoice's lease in one statement, so that two instances cannot both hold it. The lease uses the database's clock; when it has
 * expired, because its holder died, the next caller takes it.
 */
async function claimInvoiceLease(
  id: number,
  now: Date,
  force: boolean,
): Promise<ProviderInvoiceRow | undefined> {
  const minuteAgo = new Date(now.getTime() - ASK_EVERY_MS);
  const [row] = await db()
    .update(providerInvoicesTable)
    .set({
      leaseToken: crypto.randomUUID(),
      leasedUntil: sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
      asks: sql`asks + 1`,
      askedAt: now,
    })
    .where(
      and(
        eq(providerInvoicesTable.id, id),
        or(
          isNull(providerInvoicesTable.leasedUntil),
          lt(providerInvoicesTable.leasedUntil, sql`clock_timestamp()`),
        ),
        force
          ? undefined
          : or(isNull(providerInvoicesTable.askedAt), lte(providerInvoicesTable.askedAt, minuteAgo)),
      ),
    )
    .returning();
  return row;
}

async function askProvider(mine: KnownInvoice, now: Date): Promise<CheckedInvoice> {
  const qpay = getProviderClient();
  const reply =
    qpay === null || mine.providerId === null
      ? noProvider
      : await checkInvoice(qpay, mine.providerId, CHECK_MS);
  if (!reply.ok) {
    await recordNoAnswer(mine, now);
    return { ...answerFromStore(mine, now, null), complete: false, reached: true };
  }
  const asked = { providerId: mine.providerId ?? "", billed: mine.billed };
  const sorted = sortRows(reply, mine.invoiceId, now, asked);
  await recordAnswer(mine, sorted, now);
  const answered = { complete: true, unread: !sorted.readable, reached: true };
  return { ...sorted, ...answered, asOf: now, retryAt: null };
}

/** The last reply. It is complete only if it is at most a minute old and no later check ended without a reply. */
function answerFromStore(row: ProviderInvoiceRow, now: Date, retryAt: Date | null): CheckedInvoice {
  const { answer, answeredAt } = row;
  const fresh = answeredAt !== null && now.getTime() - answeredAt.getTime() <= ASK_EVERY_MS;
  const settled = row.answeredAsk === row.endedAsk;
  return {
    complete: fresh && settled,
    unread: answer?.readable === false,
    ...restoreAnswer(answer, row.invoiceId),
    reached: false,
    asOf: answeredAt,
    retryAt,
  };
}

function restoreAnswer(answer: StoredAnswer | null, invoiceId: string) {
  return {
    rows: (answer?.rows ?? []).map((row) => ({ ...row, invoiceId, paidAt: new Date(row.paidAt) })),
    problems: (answer?.problems ?? []).map((problem) => ({ ...problem, invoiceId })),
    failed: answer?.failed ?? 0,
    pending: answer?.pending ?? 0,
    listed: answer?.listed ?? [],
  };
}

async function readProviderInvoice(id: number): Promise<ProviderInvoiceRow> {
  const [row] = await db().select().from(providerInvoicesTable).where(eq(providerInvoicesTable.id, id));
  if (row === undefined) throw new Error(`ask: provider invoice ${id} is gone`);
  return row;
}
