import { and, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import { db } from "#db/client";
import { noProvider, provider } from "../qpay/client.ts";
import { checkInvoice } from "../qpay/payment.ts";
import { type ProviderInvoiceRow, providerInvoices, type StoredAnswer } from "../schema/provider.ts";
import { ASK_EVERY_MS, type KnownInvoice, nextAllowed } from "./known-invoices.ts";
import type { AskProblem, PaidRow } from "./provider-types.ts";
import { recordAnswer, recordSilence } from "./record-report.ts";
import { sortRows } from "./sort-paid-rows.ts";

/** What is known of one of the provider's invoices after asking, or after not being allowed to. */
export type CheckedInvoice = {
  complete: boolean;
  /** A row could not be read: the rest is no answer until a person has looked at it. */
  unread: boolean;
  rows: PaidRow[];
  problems: AskProblem[];
  failed: number;
  pending: number;
  listed: string[];
  /** Whether this call reached for the provider itself. */
  reached: boolean;
  asOf: Date | null;
  retryAt: Date | null;
};

const CHECK_MS = 25_000;
const LEASE_SECONDS = 30;
const WAIT_MS = (LEASE_SECONDS + 1) * 1000;

/** Asks about one invoice under its lease, or answers from another's ask that began after this one came. */
export async function checkInvoiceOnce(
  seen: KnownInvoice,
  now: Date,
  force: boolean,
): Promise<CheckedInvoice> {
  const until = Date.now() + WAIT_MS;
  for (let wait = 20; ; wait = Math.min(400, wait * 1.6)) {
    const mine = await claim(seen.id, now, force);
    if (mine) return askProvider({ ...seen, ...mine }, now);
    const row = await current(seen.id);
    if (row.endedAsk > seen.asks) return fromStore(row, now, null);
    const retryAt = force ? null : nextAllowed(row, now);
    if (retryAt !== null) return fromStore(row, now, retryAt);
    if (Date.now() > until) return { ...fromStore(row, now, null), complete: false };
    await Bun.sleep(wait);
  }
}

/**
 * Takes the invoice's lease, in one statement, so that two instances cannot both hold it. The lease is counted by the
 * database's clock; a holder that died is followed when it has run out.
 */
async function claim(id: number, now: Date, force: boolean): Promise<ProviderInvoiceRow | undefined> {
  const minuteAgo = new Date(now.getTime() - ASK_EVERY_MS);
  const [row] = await db()
    .update(providerInvoices)
    .set({
      leaseToken: crypto.randomUUID(),
      leasedUntil: sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
      asks: sql`asks + 1`,
      askedAt: now,
    })
    .where(
      and(
        eq(providerInvoices.id, id),
        or(isNull(providerInvoices.leasedUntil), lt(providerInvoices.leasedUntil, sql`clock_timestamp()`)),
        force ? undefined : or(isNull(providerInvoices.askedAt), lte(providerInvoices.askedAt, minuteAgo)),
      ),
    )
    .returning();
  return row;
}

async function askProvider(mine: KnownInvoice, now: Date): Promise<CheckedInvoice> {
  const qpay = provider();
  const reply =
    qpay === null || mine.providerId === null
      ? noProvider
      : await checkInvoice(qpay, mine.providerId, CHECK_MS);
  if (!reply.ok) {
    await recordSilence(mine, now);
    return { ...fromStore(mine, now, null), complete: false, reached: true };
  }
  const asked = { providerId: mine.providerId ?? "", billed: mine.billed };
  const sorted = sortRows(reply, mine.invoiceId, now, asked);
  await recordAnswer(mine, sorted, now);
  const answered = { complete: true, unread: !sorted.readable, reached: true };
  return { ...sorted, ...answered, asOf: now, retryAt: null };
}

/** The last answer, complete only when no later ask ended unanswered and it is no older than the one-minute rule allows. */
function fromStore(row: ProviderInvoiceRow, now: Date, retryAt: Date | null): CheckedInvoice {
  const { answer, answeredAt } = row;
  const fresh = answeredAt !== null && now.getTime() - answeredAt.getTime() <= ASK_EVERY_MS;
  const settled = row.answeredAsk === row.endedAsk;
  return {
    complete: fresh && settled,
    unread: answer?.readable === false,
    ...revived(answer, row.invoiceId),
    reached: false,
    asOf: answeredAt,
    retryAt,
  };
}

function revived(answer: StoredAnswer | null, invoiceId: string) {
  return {
    rows: (answer?.rows ?? []).map((row) => ({ ...row, invoiceId, paidAt: new Date(row.paidAt) })),
    problems: (answer?.problems ?? []).map((problem) => ({ ...problem, invoiceId })),
    failed: answer?.failed ?? 0,
    pending: answer?.pending ?? 0,
    listed: answer?.listed ?? [],
  };
}

async function current(id: number): Promise<ProviderInvoiceRow> {
  const [row] = await db().select().from(providerInvoices).where(eq(providerInvoices.id, id));
  if (row === undefined) throw new Error(`ask: provider invoice ${id} is gone`);
  return row;
}
