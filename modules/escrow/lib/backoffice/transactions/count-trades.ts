import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { db } from "#db/client";
import { fromReplica } from "#db/client/replica";
import { type Actor, type NotAdmin, requireAdmin } from "#modules/identity";
import { tradesTable } from "../../core/schema.ts";
import { type Status, tradeStatuses } from "../../machine/trade-types.ts";
import {
  buildFilterCondition,
  hasDateRange,
  hasNarrowingFilter,
  statusesOf,
  type TransactionFilter,
} from "./list-filter.ts";

/** Nobody pages through more than this, so nothing beyond it is counted: "1,000+". */
export const MOST_COUNTED = 1_000;

export type TransactionCounts = {
  /** How many match; `MOST_COUNTED` + 1 for more than that. */
  found: number;
  /** How many match by status, whatever status the filter names; null if they are too many to count. */
  byStatus: Record<Status, number> | null;
};

/** Counts the trades that a filter matches; the cost does not grow with the number of trades. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function countTrades(
  actor: Actor,
  filter: TransactionFilter,
): Promise<{ ok: true; counts: TransactionCounts } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  return { ok: true, counts: await fromReplica(() => countMatchingTrades(filter)) };
}

async function countMatchingTrades(filter: TransactionFilter): Promise<TransactionCounts> {
  const byStatus = hasNarrowingFilter(filter) ? await countFound(filter) : await countAll();
  if (byStatus === null) {
    const found = filter.status === undefined ? MOST_COUNTED + 1 : await countOne(filter);
    return { found, byStatus };
  }
  const wanted = filter.status === undefined ? tradeStatuses : statusesOf(filter.status);
  const found = wanted.reduce((sum, status) => sum + byStatus[status], 0);
  return { found: Math.min(found, MOST_COUNTED + 1), byStatus };
}

function fillStatusTotals(rows: Array<{ status: Status; total: number }>): Record<Status, number> {
  const none = Object.fromEntries(tradeStatuses.map((status) => [status, 0])) as Record<Status, number>;
  return Object.assign(none, Object.fromEntries(rows.map(({ status, total }) => [status, total])));
}

/** Counts all trades: each status by its index, up to MOST_COUNTED + 1. */
async function countAll(): Promise<Record<Status, number>> {
  const of = (status: Status) =>
    db()
      .select({
        status: sql<Status>`${status}::text`.as("status"),
        total: sql<number>`count(*)::int`.as("total"),
      })
      .from(
        db()
          .select({ id: tradesTable.id })
          .from(tradesTable)
          .where(and(eq(tradesTable.status, status), isNull(tradesTable.hiddenAt)))
          .orderBy(asc(tradesTable.id))
          .limit(MOST_COUNTED + 1)
          .as("some"),
      );
  const [first, second, ...others] = tradeStatuses.map(of);
  if (first === undefined || second === undefined) return fillStatusTotals([]);
  return fillStatusTotals(await unionAll(first, second, ...others));
}

/** Counts the trades that a filter matches by status, whatever status it names; null for more than MOST_COUNTED. */
async function countFound(filter: TransactionFilter): Promise<Record<Status, number> | null> {
  const some = db()
    .select({ status: tradesTable.status })
    .from(tradesTable)
    .where(
      await buildFilterCondition({ ...filter, status: undefined }, hasDateRange(filter) ? "page" : "count"),
    )
    .orderBy(...buildCountOrder(filter))
    .limit(MOST_COUNTED + 1)
    .as("some");
  const rows = await db()
    .select({ status: some.status, total: sql<number>`count(*)::int` })
    .from(some)
    .groupBy(some.status);
  if (rows.reduce((sum, { total }) => sum + total, 0) > MOST_COUNTED) return null;
  return fillStatusTotals(rows);
}

async function countOne(filter: TransactionFilter): Promise<number> {
  const some = db()
    .select({ id: tradesTable.id })
    .from(tradesTable)
    .where(await buildFilterCondition(filter, hasDateRange(filter) ? "page" : "count"))
    .orderBy(...buildCountOrder(filter))
    .limit(MOST_COUNTED + 1)
    .as("some");
  const [row] = await db().select({ total: sql<number>`count(*)::int` }).from(some);
  return row?.total ?? 0;
}

/** The order of an index, so that reading ends where counting ends. A search by words alone has an index of its own. */
function buildCountOrder(filter: TransactionFilter): SQL[] {
  if (hasDateRange(filter)) return [desc(tradesTable.createdAt), desc(tradesTable.id)];
  return filter.search?.trim() ? [] : [desc(tradesTable.id)];
}
