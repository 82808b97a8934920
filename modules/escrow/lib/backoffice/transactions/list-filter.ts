import { and, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { daySpan } from "#format";
import { findPeopleByName } from "#modules/identity";
import { refundConditions } from "#modules/payments";
import type { MoneyFilter, TransactionSort } from "../../../forms.ts";
import { tradesTable } from "../../core/schema.ts";
import { type Status, tradeStatuses, unpaidStatuses } from "../../machine/trade-types.ts";
import type { HistoryPage } from "../../trade/view/history.ts";

/** Which trades administrators look for. */
export type TransactionFilter = {
  /** A status, or one of the two words that stand for several (design §4). */
  status?: string | undefined;
  /** A part of the code or of the description, or the beginning of a party's username. */
  search?: string | undefined;
  money?: MoneyFilter | undefined;
  /** Days in Mongolia, yyyy-MM-dd, both included. */
  from?: string | undefined;
  to?: string | undefined;
};

/** A page of them, in an order: newest first unless told otherwise. */
export type TransactionListFilter = HistoryPage & TransactionFilter & { sort?: TransactionSort | undefined };

const statusGroups = new Map<string, readonly Status[]>([
  ["confirmed_complete", ["settlement_pending"]],
  ["pending", ["initiated", "payment_initiated", "payment_pending"]],
]);

/** The words that stand for several statuses. */
export const statusWords = [...statusGroups.keys()];

/** The statuses a filter's word stands for; none for a word that is none. */
export function statusesOf(word: string): readonly Status[] {
  return statusGroups.get(word) ?? tradeStatuses.filter((status) => status === word.toLowerCase());
}

/** True where something but a status narrows the list. */
export function hasNarrowingFilter({ search, money, from, to }: TransactionFilter): boolean {
  return [search?.trim(), money, from, to].some((part) => part !== undefined && part !== "");
}

/** True where the list is of some days alone: it is then read by the moment of birth, whose index knows where they begin and end. */
export function hasDateRange({ from, to }: TransactionFilter): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * The condition on a trade's row; hidden ones never match. A page of a list is met soon in its order where the words of a search are
 * common; a count has no order, and gathers them off their index as far as it goes.
 */
export async function buildFilterCondition(
  filter: TransactionFilter,
  what: "page" | "count",
): Promise<SQL | undefined> {
  return and(
    isNull(tradesTable.hiddenAt),
    filter.status === undefined ? undefined : inArray(tradesTable.status, [...statusesOf(filter.status)]),
    filter.money === undefined ? undefined : matchMoneyState(filter.money),
    filter.from === undefined ? undefined : gte(tradesTable.createdAt, daySpan(filter.from).from),
    filter.to === undefined ? undefined : lt(tradesTable.createdAt, daySpan(filter.to).until),
    await matchSearchWords(filter.search?.trim() ?? "", what),
  );
}

// `tradeProgressOf` of trade-progress.ts, as a condition.
function matchMoneyState(money: MoneyFilter): SQL | undefined {
  const refunds = refundConditions(tradesTable.id);
  const cancelled = eq(tradesTable.status, "cancelled");
  const paidOut = and(eq(tradesTable.status, "completed"), ne(tradesTable.endReason, "closed"));
  switch (money) {
    case "waiting":
      return inArray(tradesTable.status, [...unpaidStatuses]);
    case "disputed":
      return eq(tradesTable.status, "disputed");
    case "released":
      return and(paidOut, sql`NOT ${refunds.outstanding}`);
    case "returned":
      return and(cancelled, refunds.any, sql`NOT ${refunds.unsent}`);
    case "held":
      return or(
        inArray(tradesTable.status, ["payment_confirmed", "exchange_completed", "settlement_pending"]),
        and(cancelled, refunds.unsent),
        and(paidOut, refunds.outstanding),
      );
    case "none":
      return or(
        and(eq(tradesTable.status, "completed"), eq(tradesTable.endReason, "closed")),
        and(cancelled, sql`NOT ${refunds.any}`),
      );
  }
}

const minimumSearchLength = 3;

/** Trades of so many people of a name are found; who has more of them says more of it. */
const maximumNamedPeople = 200;

/** Words that stand in more trades than this are common. */
const commonWordThreshold = 1_000;

/** Three letters and more may stand anywhere; two begin a word, and one is a word of its own. */
async function matchSearchWords(words: string, what: "page" | "count"): Promise<SQL | undefined> {
  const { length } = [...words];
  if (length === 0) return undefined;
  const needle = length >= minimumSearchLength ? words : length === 2 ? ` ${words}` : ` ${words} `;
  const [common, named] = await Promise.all([
    what === "page" && isCommonWord(needle),
    length >= minimumSearchLength ? findPeopleByName(words, maximumNamedPeople) : [],
  ]);
  // Not LIKE, which the planner takes for rare.
  const found = common ? sql`strpos(${searchableText}, lower(${needle})) > 0` : matchSearchText(needle);
  const people = named.map(({ id }) => id);
  if (people.length === 0) return found;
  return or(found, inArray(tradesTable.buyerId, people), inArray(tradesTable.sellerId, people));
}

const searchableText = sql`escrow.search_words(${tradesTable.code}, ${tradesTable.description})`;

/** Looked up by the trigrams of the needle. */
function matchSearchText(needle: string): SQL {
  const like = `%${needle.replace(/[\\%_]/g, "\\$&")}%`;
  // The cheap half first: where no index serves, the dear one is asked only of what has passed it.
  return sql`(${searchableText} LIKE lower(${like}) AND escrow.trigrams(${searchableText}) @> escrow.trigrams(lower(${needle})))`;
}

async function isCommonWord(needle: string): Promise<boolean> {
  const [row] = await db().execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (
      SELECT FROM ${tradesTable} WHERE ${tradesTable.hiddenAt} IS NULL AND ${matchSearchText(needle)} LIMIT ${commonWordThreshold + 1}
    ) AS gathered`);
  return (row?.total ?? 0) > commonWordThreshold;
}
