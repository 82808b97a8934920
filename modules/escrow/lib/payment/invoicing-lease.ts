import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { refuseAction, type TradeRefusal } from "../core/outcomes.ts";
import { invoicingTable } from "../core/schema.ts";

/** How long a lease lasts unless its process renews it. Shorter than WAIT_MS, so that no caller gives up because a process died. */
const LEASE_SECONDS = 12;
const RENEW_MS = 4_000;
const WAIT_MS = 20_000;
/** How many callers of one trade may work or wait in one process. */
const MOST_CALLERS = 16;
/** Milliseconds between two attempts to take a lease that another instance holds; they grow, with jitter. */
const LOOK_MS = { first: 50, longest: 500 };

const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** The queue of each trade with callers in this process: how many there are, and a promise that resolves when the last one is done. */
const callerQueues = new Map<number, { kept: number; last: Promise<void> }>();

/**
 * Runs `work` while no other caller on any instance checks, cancels or creates invoices of the same trade. The work calls the provider, so
 * this is a lease in a row and not a database lock: no transaction stays open. Other callers wait for at most twenty seconds in a queue of
 * their process; only the first in the queue tries to take the lease. With sixteen in the queue, further callers are refused immediately
 * (INVOICING_BUSY). The lease uses the database's `clock_timestamp()`, not `now()`.
 */
export async function withInvoicingLease<T>(
  tradeId: number,
  work: () => Promise<T>,
): Promise<T | TradeRefusal<"INVOICING_BUSY">> {
  const line = callerQueues.get(tradeId) ?? { kept: 0, last: Promise.resolve() };
  if (line.kept >= MOST_CALLERS) return refuseAction("INVOICING_BUSY");
  callerQueues.set(tradeId, line);
  line.kept += 1;
  const before = line.last;
  const done = Promise.withResolvers<void>();
  line.last = done.promise;
  const until = Date.now() + WAIT_MS;
  try {
    if (!(await isOver(before, until))) return refuseAction("INVOICING_BUSY");
    return await runWithLease(tradeId, until, work);
  } finally {
    // If this caller gave up, the next one must still not start before the previous one is done.
    void before.then(done.resolve);
    line.kept -= 1;
    if (line.kept === 0) callerQueues.delete(tradeId);
  }
}

/** True once `before` has resolved; false if `until` comes first. */
async function isOver(before: Promise<void>, until: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), until - Date.now());
  const over = await Promise.race([before.then(() => true), late.promise]);
  clearTimeout(timer);
  return over;
}

async function runWithLease<T>(
  tradeId: number,
  until: number,
  work: () => Promise<T>,
): Promise<T | TradeRefusal<"INVOICING_BUSY">> {
  const token = crypto.randomUUID();
  for (
    let look = LOOK_MS.first;
    !(await takeLease(tradeId, token));
    look = Math.min(LOOK_MS.longest, look * 1.6)
  ) {
    if (Date.now() > until) return refuseAction("INVOICING_BUSY");
    await Bun.sleep(look * (0.5 + Math.random()));
  }
  const own = and(eq(invoicingTable.tradeId, tradeId), eq(invoicingTable.token, token));
  const renewing = setInterval(() => {
    // If renewals fail, the lease may be lost. That is safe: later decisions are made under the trade's lock.
    db()
      .update(invoicingTable)
      .set({ until: leaseEnd })
      .where(own)
      .catch(() => {});
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await db().delete(invoicingTable).where(own);
  }
}

async function takeLease(tradeId: number, token: string): Promise<boolean> {
  const taken = await db()
    .insert(invoicingTable)
    .values({ tradeId, token, until: leaseEnd })
    .onConflictDoUpdate({
      target: invoicingTable.tradeId,
      set: { token, until: leaseEnd },
      setWhere: sql`${invoicingTable.until} < clock_timestamp()`,
    })
    .returning({ token: invoicingTable.token });
  return taken.length > 0;
}
