import { and, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { daySpan } from "#format";
import { peopleNamed } from "#modules/identity";
import { refundsOf } from "#modules/payments";
import type { DeskMoney, DeskSort } from "../forms.ts";
import { type Status, statuses, unpaid } from "./machine/types.ts";
import { trades } from "./schema.ts";
import type { Page } from "./views.history.ts";

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
export type AdminFilter = Page & DeskFilter & { sort?: DeskSort | undefined };

const groups: Record<string, readonly Status[]> = {
  confirmed_complete: ["settlement_pending"],
  pending: ["initiated", "payment_initiated", "payment_pending"],
};

/** The words that stand for several statuses. */
export const statusWords = Object.keys(groups);

/** The statuses a filter's word stands for; undefined for a word that is none. */
export function statusesOf(word: string): readonly Status[] | undefined {
  return groups[word] ?? statuses.filter((status) => status === word.toLowerCase());
}

/** True where something but a status narrows the list. */
export function narrowed({ search, money, from, to }: DeskFilter): boolean {
  return [search?.trim(), money, from, to].some((part) => part !== undefined && part !== "");
}

/** The condition on a trade's row; hidden ones never match. */
export async function matching(filter: DeskFilter): Promise<SQL | undefined> {
  return and(
    isNull(trades.hiddenAt),
    filter.status === undefined ? undefined : inArray(trades.status, [...(statusesOf(filter.status) ?? [])]),
    filter.money === undefined ? undefined : ofMoney(filter.money),
    filter.from === undefined ? undefined : gte(trades.createdAt, daySpan(filter.from).from),
    filter.to === undefined ? undefined : lt(trades.createdAt, daySpan(filter.to).until),
    await named(filter.search?.trim() ?? ""),
  );
}

// `standingOf` of views.standing.ts, as a condition.
function ofMoney(money: DeskMoney): SQL | undefined {
  const refunds = refundsOf(trades.id);
  const cancelled = eq(trades.status, "cancelled");
  switch (money) {
    case "waiting":
      return inArray(trades.status, [...unpaid]);
    case "disputed":
      return eq(trades.status, "disputed");
    case "released":
      return and(eq(trades.status, "completed"), ne(trades.endReason, "closed"));
    case "returned":
      return and(cancelled, refunds.any, sql`NOT ${refunds.unsent}`);
    case "held":
      return or(
        inArray(trades.status, ["payment_confirmed", "exchange_completed", "settlement_pending"]),
        and(cancelled, refunds.unsent),
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

/** Three letters and more may stand anywhere; two begin a word, and one is a word of its own. */
async function named(words: string): Promise<SQL | undefined> {
  const { length } = [...words];
  if (length === 0) return undefined;
  const needle = length >= fewest ? words : length === 2 ? ` ${words}` : ` ${words} `;
  const like = `%${needle.replace(/[\\%_]/g, "\\$&")}%`;
  const searched = sql`escrow.search_words(${trades.code}, ${trades.description})`;
  // The cheap half first: where no index serves, the dear one is asked only of what has passed it.
  const found = sql`(${searched} LIKE lower(${like}) AND escrow.trigrams(${searched}) @> escrow.trigrams(lower(${needle})))`;
  const named = length >= fewest ? await peopleNamed(words, mostNamed) : [];
  const people = named.map(({ id }) => id);
  if (people.length === 0) return found;
  return or(found, inArray(trades.buyerId, people), inArray(trades.sellerId, people));
}
