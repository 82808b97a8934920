import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { db } from "#db/client";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { sideOf } from "../../core/party-access.ts";
import { tradesTable } from "../../core/schema.ts";
import type { historyViewSchema } from "./responses.ts";
import { tradeProgressOfAll } from "./trade-progress.ts";
import { transactionView } from "./transaction-view.ts";

/** A page of a list: `before` is the id of the last row seen. */
export type HistoryPage = { limit: number; before?: number | undefined };

export type HistoryView = z.output<typeof historyViewSchema>;

/** The actor's own trades, newest first, without hidden ones. */
export async function historyOf(
  actor: Actor,
  page: HistoryPage = { limit: 100 },
): Promise<{ ok: true; transactions: HistoryView[] } | NotSignedIn> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  return { ok: true, transactions: await historyRows(user.member.userId, page) };
}

/** A person's trades as `historyOf` returns them to that person. The caller has checked who is reading. */
export async function historyRows(userId: number, page: HistoryPage): Promise<HistoryView[]> {
  // One query per side, each on its own index, and then a union: an OR over both columns would read every trade.
  const of = (side: typeof tradesTable.buyerId | typeof tradesTable.sellerId) =>
    db()
      .select()
      .from(tradesTable)
      .where(
        and(
          eq(side, userId),
          isNull(tradesTable.hiddenAt),
          isNull(tradesTable.erasedAt),
          buildBeforeCondition(page),
        ),
      )
      .orderBy(desc(tradesTable.id))
      .limit(page.limit);
  const rows = await unionAll(of(tradesTable.buyerId), of(tradesTable.sellerId))
    .orderBy(desc(tradesTable.id))
    .limit(page.limit);
  const progressOf = await tradeProgressOfAll(db(), rows);
  return rows.map((row) => ({
    ...transactionView(row),
    role: sideOf(row, userId) ?? "buyer",
    standing: progressOf(row),
  }));
}

/** Cuts rows that were read with one row to spare to a page: the rows to show, and the id after which there are more, or null. */
export function pageOf<Row extends { id: number }>(rows: Row[], limit: number) {
  const shown = rows.slice(0, limit);
  return { shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

function buildBeforeCondition(page: HistoryPage) {
  return page.before === undefined ? undefined : lt(tradesTable.id, page.before);
}
