import { and, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { daySpan } from "#format";
import { findPeopleByName } from "#modules/identity";
import { refundConditions } from "#modules/payments";
import type { MoneyFilter, TransactionSort } from "../../../forms.ts";
import { tradesTable } from "../../core/schema.ts";
import { type Status, tradeStatuses, unpaidStatuses } from "../../machine/trade-types.ts";
import type { HistoryPage } from "../../trade/view/history.ts";

/** Which trades an administrator looks for. */
export type TransactionFilter = {
  /** A status, or one of the two names that stand for several statuses. */
  status?: string | undefined;
  /** A part of the code or of the description, or the beginning of a party's username. */
  search?: string | undefined;
  /** One state of the money, or any of several. */
  money?: MoneyFilter | readonly MoneyFilter[] | undefined;
  /** Days in Mongolia, yyyy-MM-dd, both included. */
  from?: string | undefined;
  to?: string | undefined;
};

/** A page of trades in an order, newest first by default. */
export type TransactionListFilter = HistoryPage & TransactionFilter & { sort?: TransactionSort | undefined };

const statusGroups = new Map<string, readonly Status[]>([
  ["confirmed_complete", ["settlement_pending"]],
  ["pending", ["initiated", "payment_initiated", "payment_pending"]],
]);

/** The names that stand for several statuses. */
export const statusWords = [...statusGroups.keys()];

/** The statuses that a filter's value stands for; empty for an unknown value. */
export function statusesOf(word: string): readonly Status[] {
  return statusGroups.get(word) ?? tradeStatuses.filter((status) => status === word.toLowerCase());
}

/** True if anything but a status narrows the list. */
export function hasNarrowingFilter({ search, money, from, to }: TransactionFilter): boolean {
  return [search?.trim(), money, from, to].some((part) => part !== undefined && part !== "");
}

/** True if the list covers certain days only. It is then read by `createdAt`, whose index knows where the days begin and end. */
export function hasDateRange({ from, to }: TransactionFilter): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * The condition on a trade's row; hidden trades never match. For a page with a common search word, reading in the list's order soon finds
 * enough rows; a count has no order, and reads the matches from the index of words.
 */
export async function buildFilterCondition(
  filter: TransactionFilter,
  what: "page" | "count",
): Promise<SQL | undefined> {
  return and(
    isNull(tradesTable.hiddenAt),
    filter.status === undefined ? undefined : inArray(tradesTable.status, [...statusesOf(filter.status)]),
    filter.money === undefined ? undefined : or(...[filter.money].flat().map(matchMoneyState)),
    filter.from === undefined ? undefined : gte(tradesTable.createdAt, daySpan(filter.from).from),
    filter.to === undefined ? undefined : lt(tradesTable.createdAt, daySpan(filter.to).until),
    await matchSearchWords(filter.search?.trim() ?? "", what),
  );
}

// `tradeProgressOf` in trade-progress.ts as an SQL condition, with the held money of cancelled trades as `refunding`.
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
        and(paidOut, refunds.outstanding),
      );
    case "refunding":
      return and(cancelled, refunds.unsent);
    case "none":
      return or(
        and(eq(tradesTable.status, "completed"), eq(tradesTable.endReason, "closed")),
        and(cancelled, sql`NOT ${refunds.any}`),
      );
  }
}

const minimumSearchLength = 3;

/** A search finds the trades of at most this many people with a name; if there are more, more of the name must be typed. */
const maximumNamedPeople = 200;

/** A word that occurs in more trades than this is common. */
const commonWordThreshold = 1_000;

/** Three or more letters match anywhere in the text; two match the beginning of a word, and one matches a whole word. */
async function matchSearchWords(words: string, what: "page" | "count"): Promise<SQL | undefined> {
  const { length } = [...words];
  if (length === 0) return undefined;
  const needle = length >= minimumSearchLength ? words : length === 2 ? ` ${words}` : ` ${words} `;
  const [common, named] = await Promise.all([
    what === "page" && isCommonWord(needle),
    length >= minimumSearchLength ? findPeopleByName(words, maximumNamedPeople) : [],
  ]);
  // Not LIKE, which the planner assumes to match few rows.
  const found = common ? sql`strpos(${searchableText}, lower(${needle})) > 0` : matchSearchText(needle);
  const people = named.map(({ id }) => id);
  if (people.length === 0) return found;
  return or(found, inArray(tradesTable.buyerId, people), inArray(tradesTable.sellerId, people));
}

const searchableText = sql`escrow.search_words(${tradesTable.code}, ${tradesTable.description})`;

/** Finds the text by the index of its trigrams. */
function matchSearchText(needle: string): SQL {
  const like = `%${needle.replace(/[\\%_]/g, "\\$&")}%`;
  // The cheap condition first: if no index is used, the expensive one is evaluated only for rows that pass it.
  return sql`(${searchableText} LIKE lower(${like}) AND escrow.trigrams(${searchableText}) @> escrow.trigrams(lower(${needle})))`;
}

async function isCommonWord(needle: string): Promise<boolean> {
  const [row] = await db().execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (
      SELECT FROM ${tradesTable} WHERE ${tradesTable.hiddenAt} IS NULL AND ${matchSearchText(needle)} LIMIT ${commonWordThreshold + 1}
    ) AS gathered`);
  return (row?.total ?? 0) > commonWordThreshold;
}
