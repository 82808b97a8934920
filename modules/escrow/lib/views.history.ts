import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { db } from "#db/client";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { sideOf } from "./access.ts";
import type { Party } from "./machine/types.ts";
import { trades } from "./schema.ts";
import { type Standing, standingsOf } from "./views.standing.ts";
import { type TransactionView, transactionView } from "./views.transaction.ts";

/** A page of a list: `before` is the id of the last row seen. */
export type Page = { limit: number; before?: number | undefined };

export type HistoryView = TransactionView & { role: Party; standing: Standing };

/** The actor's own trades, newest first; hidden ones are not among them. */
export async function historyOf(
  actor: Actor,
  page: Page = { limit: 100 },
): Promise<{ ok: true; transactions: HistoryView[] } | NotSignedIn> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  // One index a side, merged: an OR over both would read every trade.
  const of = (side: typeof trades.buyerId | typeof trades.sellerId) =>
    db()
      .select()
      .from(trades)
      .where(and(eq(side, userId), isNull(trades.hiddenAt), before(page)))
      .orderBy(desc(trades.id))
      .limit(page.limit);
  const rows = await unionAll(of(trades.buyerId), of(trades.sellerId))
    .orderBy(desc(trades.id))
    .limit(page.limit);
  const standing = await standingsOf(db(), rows);
  const view = (row: (typeof rows)[number]) => ({
    ...transactionView(row),
    role: sideOf(row, userId) ?? "buyer",
    standing: standing(row),
  });
  return { ok: true, transactions: rows.map(view) };
}

export function before(page: Page) {
  return page.before === undefined ? undefined : lt(trades.id, page.before);
}
