import type { Actor } from "#modules/identity";
import { countTrades } from "./count-trades.ts";
import type { TransactionListFilter } from "./list-filter.ts";
import { adminTrades } from "./list-trades.ts";

/** For tests: the list of transactions as one administrator reads it; throws on a refusal. */
export function deskOf(admin: () => Actor) {
  return {
    async ids(filter: Partial<TransactionListFilter>): Promise<number[]> {
      const found = await adminTrades(admin(), { limit: 50, ...filter });
      if (!found.ok) throw new Error(found.code);
      return found.transactions.map(({ id }) => id);
    },
    async counts(filter: Partial<TransactionListFilter> = {}) {
      const found = await countTrades(admin(), filter);
      if (!found.ok) throw new Error(found.code);
      return found.counts;
    },
  };
}
