import { listMoneyFilterSchema, type MoneyFilter, transactionFilterSchema } from "../../../forms.ts";
import { tradeStatuses } from "../../machine/trade-types.ts";
import { statusesOf, statusWords } from "./list-filter.ts";

const { shape } = transactionFilterSchema;

/** The query of the API call; an unknown status is refused like any other invalid value. */
export const transactionListSchema = transactionFilterSchema.refine(
  ({ status }) => status === undefined || statusesOf(status).length > 0,
  { message: "validation.invalid", path: ["status"] },
);

/** The states of the money that a value of the API's filter stands for: its `held` includes what is still to be refunded. */
export function moneyStatesOf(money: MoneyFilter | undefined): MoneyFilter[] | undefined {
  if (money === undefined) return undefined;
  return money === "held" ? ["held", "refunding"] : [money];
}

/** Reads the list's filter from a URL; unknown values are ignored. */
export function readTransactionFilter(query: URLSearchParams) {
  const read = <T>(name: string, schema: { safeParse: (value: unknown) => { success: boolean; data?: T } }) =>
    schema.safeParse(query.get(name)).data;
  const status = read<string | undefined>("status", shape.status);
  return {
    search: read<string | undefined>("q", shape.search),
    status: [...tradeStatuses, ...statusWords].find((word) => word === status),
    money: read<MoneyFilter | undefined>("money", listMoneyFilterSchema),
    from: read<string | undefined>("from", shape.from),
    to: read<string | undefined>("to", shape.to),
    sort: read<typeof shape.sort._output>("sort", shape.sort),
    before: read<number | undefined>("before", shape.before),
  };
}

/** Like `readTransactionFilter`, by the names of the URL's parameters, for saved filters. */
export function readSavedFilter(query: URLSearchParams) {
  const { search, ...rest } = readTransactionFilter(query);
  return { q: search, ...rest };
}
