import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { type Actor, type NotAdmin, requireAdmin } from "#modules/identity";
import { type AdminFilter, matching } from "./desk.filter.ts";
import { trades } from "./schema.ts";
import type { ListedTrade } from "./views.admin.ts";
import { standingsOf } from "./views.standing.ts";
import { transactionView } from "./views.transaction.ts";

/** Trades for administrators, newest first or as `sort` says; hidden ones are not among them. */
export async function adminTrades(
  actor: Actor,
  filter: AdminFilter = { limit: 100 },
): Promise<{ ok: true; transactions: ListedTrade[] } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const rows = await db()
    .select()
    .from(trades)
    .where(and(await matching(filter), await beyond(filter)))
    .orderBy(...orderOf(filter.sort))
    .limit(filter.limit);
  const standing = await standingsOf(db(), rows);
  return {
    ok: true,
    transactions: rows.map((row) => ({ ...transactionView(row), standing: standing(row) })),
  };
}

function orderOf(sort: AdminFilter["sort"]): SQL[] {
  if (sort === "oldest") return [asc(trades.id)];
  if (sort === "largest") return [desc(trades.amount), desc(trades.id)];
  if (sort === "smallest") return [asc(trades.amount), asc(trades.id)];
  return [desc(trades.id)];
}

/** What comes after the row last seen, in the list's order; by amount, a row that is gone begins the list anew. */
async function beyond({ before, sort }: AdminFilter): Promise<SQL | undefined> {
  if (before === undefined) return undefined;
  const last = sort === "oldest" || sort === "smallest" ? sql`>` : sql`<`;
  if (sort !== "largest" && sort !== "smallest") return sql`${trades.id} ${last} ${before}`;
  const [seen] = await db().select({ amount: trades.amount }).from(trades).where(eq(trades.id, before));
  if (seen === undefined) return undefined;
  return sql`(${trades.amount}, ${trades.id}) ${last} (${seen.amount}, ${before})`;
}
