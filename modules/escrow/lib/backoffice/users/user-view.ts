import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { db } from "#db/client";
import type { PeopleFilter } from "#forms/identity";
import { type Actor, type NotAdmin, type PeoplePage, readUserAsAdmin, searchPeople } from "#modules/identity";
import { tradesTable } from "../../core/schema.ts";
import { type HistoryPage, type HistoryView, historyRows } from "../../trade/view/history.ts";
import type { ListedUser } from "../transactions/responses.ts";

/** The administrators' list of people (`searchPeople`), with each person's number of trades. */
export async function adminUsers(
  actor: Actor,
  filter: PeopleFilter,
): Promise<(Omit<PeoplePage, "users"> & { users: ListedUser[] }) | NotAdmin> {
  const found = await searchPeople(actor, filter);
  if (!found.ok) return found;
  const counts = await tradeCounts(found.users.map(({ id }) => id));
  const users = found.users.map((user) => ({ ...user, transactionCount: totalOf(counts.get(user.id)) }));
  return { ...found, users };
}

/** How many trades a person bought and sold in, and how many of all were completed. */
export type TradeCounts = { bought: number; sold: number; completed: number };

/** One person for administrators (`readUserAsAdmin`), with the numbers of their trades. */
export async function adminUser(actor: Actor, userId: number) {
  const found = await readUserAsAdmin(actor, userId);
  if (!found.ok) return found;
  const counts = (await tradeCounts([userId])).get(userId) ?? emptyTradeCounts;
  return { ...found, user: { ...found.user, transactionCount: totalOf(counts) }, counts };
}

/** A person's trades for administrators, newest first, each with the person's side; hidden trades are left out. */
export async function adminTradesOf(
  actor: Actor,
  userId: number,
  page: HistoryPage = { limit: 100 },
): Promise<{ ok: true; transactions: HistoryView[] } | NotAdmin | { ok: false; code: "USER_NOT_FOUND" }> {
  const known = await readUserAsAdmin(actor, userId);
  return known.ok ? { ok: true, transactions: await historyRows(userId, page) } : known;
}

const emptyTradeCounts: TradeCounts = { bought: 0, sold: 0, completed: 0 };
const totalOf = ({ bought, sold }: TradeCounts = emptyTradeCounts) => bought + sold;

/** Counts by one index for each side. */
async function tradeCounts(ids: readonly number[]): Promise<Map<number, TradeCounts>> {
  const counts = new Map<number, TradeCounts>();
  if (ids.length === 0) return counts;
  const of = (side: typeof tradesTable.buyerId | typeof tradesTable.sellerId, word: "bought" | "sold") =>
    db()
      .select({
        userId: sql<number>`${side}`.mapWith(Number).as("user_id"),
        side: sql<"bought" | "sold">`${word}::text`.as("side"),
        total: sql<number>`count(*)::int`.as("total"),
        completed: sql<number>`(count(*) FILTER (WHERE ${eq(tradesTable.status, "completed")}))::int`.as(
          "completed",
        ),
      })
      .from(tradesTable)
      .where(and(inArray(side, [...ids]), isNull(tradesTable.hiddenAt)))
      .groupBy(side);
  for (const row of await unionAll(of(tradesTable.buyerId, "bought"), of(tradesTable.sellerId, "sold"))) {
    const before = counts.get(row.userId) ?? emptyTradeCounts;
    counts.set(row.userId, {
      ...before,
      [row.side]: row.total,
      completed: before.completed + row.completed,
    });
  }
  return counts;
}
