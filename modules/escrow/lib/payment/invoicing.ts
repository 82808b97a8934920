import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { type Refused, refused } from "../core/outcomes.ts";
import { invoicing } from "../core/schema.ts";

/** A turn whose process died is over after so long, before those who wait for it give up; a living one renews it. */
const LEASE_SECONDS = 12;
const RENEW_MS = 4_000;
const WAIT_MS = 20_000;
/** Callers of one trade that one process keeps, working and waiting. */
const KEPT = 16;
/** Milliseconds between two looks at a lease that another instance has; they grow, each by its own chance. */
const LOOK_MS = { first: 50, longest: 500 };

const end = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** Of each trade with callers here, how many there are and when the last of them is done. */
const lines = new Map<number, { kept: number; last: Promise<void> }>();

/**
 * Gives one caller at a time, over all instances, a trade's invoices to ask about, cancel and make. The provider is called
 * meanwhile, so this is a lease in a row and not a lock: nothing is held open. Who comes meanwhile waits, twenty seconds at
 * most, in this process's line without a look at the database but for its first; sixteen are kept, the rest are refused at once
 * (INVOICING_BUSY). The database's own clock counts, whatever clock decisions go by.
 */
export async function invoicingAlone<T>(tradeId: number, work: () => Promise<T>): Promise<T | Refused> {
  const line = lines.get(tradeId) ?? { kept: 0, last: Promise.resolve() };
  if (line.kept >= KEPT) return refused("INVOICING_BUSY");
  lines.set(tradeId, line);
  line.kept += 1;
  const before = line.last;
  const done = Promise.withResolvers<void>();
  line.last = done.promise;
  const until = Date.now() + WAIT_MS;
  try {
    if (!(await isOver(before, until))) return refused("INVOICING_BUSY");
    return await leased(tradeId, until, work);
  } finally {
    // Whoever gave up has not moved up those behind.
    void before.then(done.resolve);
    line.kept -= 1;
    if (line.kept === 0) lines.delete(tradeId);
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

async function leased<T>(tradeId: number, until: number, work: () => Promise<T>): Promise<T | Refused> {
  const token = crypto.randomUUID();
  for (
    let look = LOOK_MS.first;
    !(await take(tradeId, token));
    look = Math.min(LOOK_MS.longest, look * 1.6)
  ) {
    if (Date.now() > until) return refused("INVOICING_BUSY");
    await Bun.sleep(look * (0.5 + Math.random()));
  }
  const own = and(eq(invoicing.tradeId, tradeId), eq(invoicing.token, token));
  const renewing = setInterval(() => {
    // A renewal that fails costs the lease at worst: what follows is decided under the trade's lock anyhow.
    db()
      .update(invoicing)
      .set({ until: end })
      .where(own)
      .catch(() => {});
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await db().delete(invoicing).where(own);
  }
}

async function take(tradeId: number, token: string): Promise<boolean> {
  const taken = await db()
    .insert(invoicing)
    .values({ tradeId, token, until: end })
    .onConflictDoUpdate({
      target: invoicing.tradeId,
      set: { token, until: end },
      setWhere: sql`${invoicing.until} < clock_timestamp()`,
    })
    .returning({ token: invoicing.token });
  return taken.length > 0;
}
