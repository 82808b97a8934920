import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { fromReplica } from "#db/replica";
import { type Actor, type NotAdmin, requireAdmin } from "#modules/identity";
import { trades } from "../../core/schema.ts";
import { tradeProgressOfAll } from "../../trade/view/trade-progress.ts";
import { transactionView } from "../../trade/view/transaction-view.ts";
import { type AdminFilter, dated, matching } from "./list-filter.ts";
import type { ListedTrade } from "./transaction-view.ts";

/** Trades for administrators, newest first or as `sort` says; hidden ones are not among them. */
export async function adminTrades(
  actor: Actor,
  filter: AdminFilter = { limit: 100 },
): Promise<{ ok: true; transactions: ListedTrade[] } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const { before } = filter;
  const known = before === undefined ? undefined : () => isThere(before);
  return { ok: true, transactions: await fromReplica(() => listed(filter), known) };
}

async function listed(filter: AdminFilter): Promise<ListedTrade[]> {
  const rows = await db()
    .select()
    .from(trades)
    .where(and(await matching(filter, "page"), await beyond(filter)))
    .orderBy(...orderOf(filter))
    .limit(filter.limit);
  const standing = await tradeProgressOfAll(db(), rows);
  return rows.map((row) => ({ ...transactionView(row), standing: standing(row) }));
}

function orderOf(filter: AdminFilter): SQL[] {
  const { sort } = filter;
  if (sort === "largest") return [desc(trades.amount), desc(trades.id)];
  if (sort === "smallest") return [asc(trades.amount), asc(trades.id)];
  const to = sort === "oldest" ? asc : desc;
  return dated(filter) ? [to(trades.createdAt), to(trades.id)] : [to(trades.id)];
}

async function isThere(id: number): Promise<boolean> {
  return (await db().select({ id: trades.id }).from(trades).where(eq(trades.id, id))).length > 0;
}

/** What comes after the row last seen, in the list's order; by amount or days, a row that is gone begins the list anew. */
async function beyond(filter: AdminFilter): Promise<SQL | undefined> {
  const { before, sort } = filter;
  if (before === undefined) return undefined;
  const last = sort === "oldest" || sort === "smallest" ? sql`>` : sql`<`;
  const byAmount = sort === "largest" || sort === "smallest";
  if (!byAmount && !dated(filter)) return sql`${trades.id} ${last} ${before}`;
  if (!(await isThere(before))) return undefined;
  // Read where it lies: our own moments have no microseconds.
  const column = byAmount ? trades.amount : trades.createdAt;
  return sql`(${column}, ${trades.id}) ${last} ((SELECT ${column} FROM ${trades} WHERE ${trades.id} = ${before}), ${before})`;
}
