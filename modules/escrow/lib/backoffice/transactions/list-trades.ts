import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { fromReplica } from "#db/client/replica";
import { type Actor, type NotAdmin, requireAdmin } from "#modules/identity";
import { tradesTable } from "../../core/schema.ts";
import { tradeProgressOfAll } from "../../trade/view/trade-progress.ts";
import { transactionView } from "../../trade/view/transaction-view.ts";
import { buildFilterCondition, hasDateRange, type TransactionListFilter } from "./list-filter.ts";
import type { ListedTrade } from "./responses.ts";

/** Trades for administrators, newest first or as `sort` says, without hidden ones. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function adminTrades(
  actor: Actor,
  filter: TransactionListFilter = { limit: 100 },
): Promise<{ ok: true; transactions: ListedTrade[] } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const { before } = filter;
  const known = before === undefined ? undefined : () => doesTradeExist(before);
  return { ok: true, transactions: await fromReplica(() => readListedTrades(filter), known) };
}

async function readListedTrades(filter: TransactionListFilter): Promise<ListedTrade[]> {
  const rows = await db()
    .select()
    .from(tradesTable)
    .where(and(await buildFilterCondition(filter, "page"), await buildCursorCondition(filter)))
    .orderBy(...orderOf(filter))
    .limit(filter.limit);
  const progressOf = await tradeProgressOfAll(db(), rows);
  return rows.map((row) => ({ ...transactionView(row), standing: progressOf(row) }));
}

function orderOf(filter: TransactionListFilter): SQL[] {
  const { sort } = filter;
  if (sort === "largest") return [desc(tradesTable.amount), desc(tradesTable.id)];
  if (sort === "smallest") return [asc(tradesTable.amount), asc(tradesTable.id)];
  const to = sort === "oldest" ? asc : desc;
  return hasDateRange(filter) ? [to(tradesTable.createdAt), to(tradesTable.id)] : [to(tradesTable.id)];
}

async function doesTradeExist(id: number): Promise<boolean> {
  return (
    (await db().select({ id: tradesTable.id }).from(tradesTable).where(eq(tradesTable.id, id))).length > 0
  );
}

/**
 * The rows after the last one seen (`before`) in the list's order. By amount or days, the list starts over if that row no longer exists.
 */
async function buildCursorCondition(filter: TransactionListFilter): Promise<SQL | undefined> {
  const { before, sort } = filter;
  if (before === undefined) return undefined;
  const last = sort === "oldest" || sort === "smallest" ? sql`>` : sql`<`;
  const byAmount = sort === "largest" || sort === "smallest";
  if (!byAmount && !hasDateRange(filter)) return sql`${tradesTable.id} ${last} ${before}`;
  if (!(await doesTradeExist(before))) return undefined;
  // Read by the database: a JavaScript Date has no microseconds.
  const column = byAmount ? tradesTable.amount : tradesTable.createdAt;
  return sql`(${column}, ${tradesTable.id}) ${last} ((SELECT ${column} FROM ${tradesTable} WHERE ${tradesTable.id} = ${before}), ${before})`;
}
