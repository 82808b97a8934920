import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { refuseAction, type TradeRefusal } from "../core/outcomes.ts";
import { invoicingTable } from "../core/schema.ts";

/** A turn whose process died is over after so long, before those who wait for it give up; a living one renews it. */
const LEASE_SECONDS = 12;
const RENEW_MS = 4_000;
const WAIT_MS = 20_000;
/** Callers of one trade that one process keeps, working and waiting. */
const MOST_CALLERS = 16;
/** Milliseconds between two looks at a lease that another instance has; they grow, each by its own chance. */
const LOOK_MS = { first: 50, longest: 500 };

const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** Of each trade with callers here, how many there are and when the last of them is done. */
const callerQueues = new Map<number, { kept: number; last: Promise<void> }>();

/**
 * Gives one caller at a time, over all instances, a trade's invoices to ask about, cancel and make. The provider is called
 * meanwhile, so this is a lease in a row and not a lock: nothing is held open. Who comes meanwhile waits, twenty seconds at
 * most, in this process's line without a look at the database but for its first; sixteen are kept, the rest are refused at once
 * (INVOICING_BUSY). The database's own clock counts, whatever clock decisions go by.
 */
export async function withInvoicingLease<T>(
  tradeId: number,
  work: () => Promise<T>,
): Promise<T | TradeRefusal> {
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
    // Whoever gave up has not moved up those behind.
    void before.then(done.resolve);
    line.kept -= 1;
    if (line.kept === 0) callerQueues.delete(tradeId);
  }
}

/** True once it is, false when the time is over first. */
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
): Promise<T | TradeRefusal> {
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
    // A renewal that fails costs the lease at worst: what follows is decided under the trade's lock anyhow.
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
