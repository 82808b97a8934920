import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { type Refused, refused } from "./outcomes.ts";
import { invoicing } from "./schema.ts";

/** A turn whose process died is over after so long, before those who wait for it give up; a living one renews it. */
const LEASE_SECONDS = 12;
const RENEW_MS = 4_000;
const WAIT_MS = 20_000;

const end = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/**
 * Gives one caller at a time, over all instances, a trade's invoices to ask about, cancel and make. The provider is called
 * meanwhile, so this is a lease in a row and not a lock: nothing is held open. Who comes meanwhile waits, twenty seconds at
 * most (INVOICING_BUSY). The database's own clock counts, whatever clock decisions go by.
 */
export async function invoicingAlone<T>(tradeId: number, work: () => Promise<T>): Promise<T | Refused> {
  const token = crypto.randomUUID();
  const until = Date.now() + WAIT_MS;
  while (!(await take(tradeId, token))) {
    if (Date.now() > until) return refused("INVOICING_BUSY");
    await Bun.sleep(50);
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
