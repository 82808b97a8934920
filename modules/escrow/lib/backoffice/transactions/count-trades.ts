import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { db } from "#db/client";
import { fromReplica } from "#db/replica";
import { type Actor, type NotAdmin, requireAdmin } from "#modules/identity";
import { trades } from "../../core/schema.ts";
import { type Status, statuses } from "../../machine/trade-types.ts";
import { type DeskFilter, dated, matching, narrowed, statusesOf } from "./list-filter.ts";

/** Nobody pages through more than this, so nothing beyond it is counted: "1,000+". */
export const MOST_COUNTED = 1_000;

export type Counts = {
  /** How many match; `MOST_COUNTED` + 1 for more than that. */
  found: number;
  /** The same by status, without the filter's own; null where there are too many to tell. */
  byStatus: Record<Status, number> | null;
};

/** How many trades a filter finds, at a price that does not grow with the number of trades. */
export async function countTrades(
  actor: Actor,
  filter: DeskFilter,
): Promise<{ ok: true; counts: Counts } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  return { ok: true, counts: await fromReplica(() => counted(filter)) };
}

async function counted(filter: DeskFilter): Promise<Counts> {
  const byStatus = narrowed(filter) ? await countFound(filter) : await countAll();
  if (byStatus === null) {
    const found = filter.status === undefined ? MOST_COUNTED + 1 : await countOne(filter);
    return { found, byStatus };
  }
  const wanted = filter.status === undefined ? statuses : statusesOf(filter.status);
  const found = wanted.reduce((sum, status) => sum + byStatus[status], 0);
  return { found: Math.min(found, MOST_COUNTED + 1), byStatus };
}

function totals(rows: Array<{ status: Status; total: number }>): Record<Status, number> {
  const none = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  return Object.assign(none, Object.fromEntries(rows.map(({ status, total }) => [status, total])));
}

/** Of all trades: each status is counted off its index, and no further than is told. */
async function countAll(): Promise<Record<Status, number>> {
  const of = (status: Status) =>
    db()
      .select({
        status: sql<Status>`${status}::text`.as("status"),
        total: sql<number>`count(*)::int`.as("total"),
      })
      .from(
        db()
          .select({ id: trades.id })
          .from(trades)
          .where(and(eq(trades.status, status), isNull(trades.hiddenAt)))
          .orderBy(asc(trades.id))
          .limit(MOST_COUNTED + 1)
          .as("some"),
      );
  const [first, second, ...others] = statuses.map(of);
  if (first === undefined || second === undefined) return totals([]);
  return totals(await unionAll(first, second, ...others));
}

/** Of what was looked for, whatever its status; null when that is more than is counted. */
async function countFound(filter: DeskFilter): Promise<Record<Status, number> | null> {
  const some = db()
    .select({ status: trades.status })
    .from(trades)
    .where(await matching({ ...filter, status: undefined }, dated(filter) ? "page" : "count"))
    .orderBy(...inOrder(filter))
    .limit(MOST_COUNTED + 1)
    .as("some");
  const rows = await db()
    .select({ status: some.status, total: sql<number>`count(*)::int` })
    .from(some)
    .groupBy(some.status);
  if (rows.reduce((sum, { total }) => sum + total, 0) > MOST_COUNTED) return null;
  return totals(rows);
}

async function countOne(filter: DeskFilter): Promise<number> {
  const some = db()
    .select({ id: trades.id })
    .from(trades)
    .where(await matching(filter, dated(filter) ? "page" : "count"))
    .orderBy(...inOrder(filter))
    .limit(MOST_COUNTED + 1)
    .as("some");
  const [row] = await db().select({ total: sql<number>`count(*)::int` }).from(some);
  return row?.total ?? 0;
}

/** In the order of an index, which ends the reading where the counting ends; words alone have an index of their own. */
function inOrder(filter: DeskFilter): SQL[] {
  if (dated(filter)) return [desc(trades.createdAt), desc(trades.id)];
  return filter.search?.trim() ? [] : [desc(trades.id)];
}
