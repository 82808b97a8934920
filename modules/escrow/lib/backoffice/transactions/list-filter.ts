import { and, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { daySpan } from "#format";
import { peopleNamed } from "#modules/identity";
import { refundsOf } from "#modules/payments";
import type { DeskMoney, DeskSort } from "../../../forms.ts";
import { trades } from "../../core/schema.ts";
import { type Status, statuses, unpaid } from "../../machine/trade-types.ts";
import type { HistoryPage } from "../../trade/view/history.ts";

/** Which trades administrators look for. */
export type DeskFilter = {
  /** A status, or one of the two words that stand for several (design §4). */
  status?: string | undefined;
  /** A part of the code or of the description, or the beginning of a party's username. */
  search?: string | undefined;
  money?: DeskMoney | undefined;
  /** Days in Mongolia, yyyy-MM-dd, both included. */
  from?: string | undefined;
  to?: string | undefined;
};

/** A page of them, in an order: newest first unless told otherwise. */
export type AdminFilter = HistoryPage & DeskFilter & { sort?: DeskSort | undefined };

const groups = new Map<string, readonly Status[]>([
  ["confirmed_complete", ["settlement_pending"]],
  ["pending", ["initiated", "payment_initiated", "payment_pending"]],
]);

/** The words that stand for several statuses. */
export const statusWords = [...groups.keys()];

/** The statuses a filter's word stands for; none for a word that is none. */
export function statusesOf(word: string): readonly Status[] {
  return groups.get(word) ?? statuses.filter((status) => status === word.toLowerCase());
}

/** True where something but a status narrows the list. */
export function narrowed({ search, money, from, to }: DeskFilter): boolean {
  return [search?.trim(), money, from, to].some((part) => part !== undefined && part !== "");
}

/** True where the list is of some days alone: it is then read by the moment of birth, whose index knows where they begin and end. */
export function dated({ from, to }: DeskFilter): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * The condition on a trade's row; hidden ones never match. A page of a list is met soon in its order where the words of a search are
 * common; a count has no order, and gathers them off their index as far as it goes.
 */
export async function matching(filter: DeskFilter, what: "page" | "count"): Promise<SQL | undefined> {
  return and(
    isNull(trades.hiddenAt),
    filter.status === undefined ? undefined : inArray(trades.status, [...statusesOf(filter.status)]),
    filter.money === undefined ? undefined : ofMoney(filter.money),
    filter.from === undefined ? undefined : gte(trades.createdAt, daySpan(filter.from).from),
    filter.to === undefined ? undefined : lt(trades.createdAt, daySpan(filter.to).until),
    await named(filter.search?.trim() ?? "", what),
  );
}

// `tradeProgressOf` of trade-progress.ts, as a condition.
function ofMoney(money: DeskMoney): SQL | undefined {
  const refunds = refundsOf(trades.id);
  const cancelled = eq(trades.status, "cancelled");
  const paidOut = and(eq(trades.status, "completed"), ne(trades.endReason, "closed"));
  switch (money) {
    case "waiting":
      return inArray(trades.status, [...unpaid]);
    case "disputed":
      return eq(trades.status, "disputed");
    case "released":
      return and(paidOut, sql`NOT ${refunds.outstanding}`);
    case "returned":
      return and(cancelled, refunds.any, sql`NOT ${refunds.unsent}`);
    case "held":
      return or(
        inArray(trades.status, ["payment_confirmed", "exchange_completed", "settlement_pending"]),
        and(cancelled, refunds.unsent),
        and(paidOut, refunds.outstanding),
      );
    case "none":
      return or(
        and(eq(trades.status, "completed"), eq(trades.endReason, "closed")),
        and(cancelled, sql`NOT ${refunds.any}`),
      );
  }
}

const fewest = 3;

/** Trades of so many people of a name are found; who has more of them says more of it. */
const mostNamed = 200;

/** Words that stand in more trades than this are common. */
const commonFrom = 1_000;

/** Three letters and more may stand anywhere; two begin a word, and one is a word of its own. */
async function named(words: string, what: "page" | "count"): Promise<SQL | undefined> {
  const { length } = [...words];
  if (length === 0) return undefined;
  const needle = length >= fewest ? words : length === 2 ? ` ${words}` : ` ${words} `;
  const [common, named] = await Promise.all([
    what === "page" && isCommon(needle),
    length >= fewest ? peopleNamed(words, mostNamed) : [],
  ]);
  // Not LIKE, which the planner takes for rare.
  const found = common ? sql`strpos(${searched}, lower(${needle})) > 0` : holding(needle);
  const people = named.map(({ id }) => id);
  if (people.length === 0) return found;
  return or(found, inArray(trades.buyerId, people), inArray(trades.sellerId, people));
}

const searched = sql`escrow.search_words(${trades.code}, ${trades.description})`;

/** Looked up by the trigrams of the needle. */
function holding(needle: string): SQL {
  const like = `%${needle.replace(/[\\%_]/g, "\\$&")}%`;
  // The cheap half first: where no index serves, the dear one is asked only of what has passed it.
  return sql`(${searched} LIKE lower(${like}) AND escrow.trigrams(${searched}) @> escrow.trigrams(lower(${needle})))`;
}

async function isCommon(needle: string): Promise<boolean> {
  const [row] = await db().execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (
      SELECT FROM ${trades} WHERE ${trades.hiddenAt} IS NULL AND ${holding(needle)} LIMIT ${commonFrom + 1}
    ) AS gathered`);
  return (row?.total ?? 0) > commonFrom;
}
