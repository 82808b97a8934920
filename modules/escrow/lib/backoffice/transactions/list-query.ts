import { transactionFilterSchema } from "../../../forms.ts";
import { tradeStatuses } from "../../machine/trade-types.ts";
import { statusesOf, statusWords } from "./list-filter.ts";

const { shape } = transactionFilterSchema;

/** What the call's query asks of the list: a status that is none is refused as every other wrong part is. */
export const transactionListSchema = transactionFilterSchema.refine(
  ({ status }) => status === undefined || statusesOf(status).length > 0,
  { message: "validation.invalid", path: ["status"] },
);

/** What an address asks of the list; a part of it that says nothing known is passed over. */
export function readTransactionFilter(query: URLSearchParams) {
  const read = <T>(name: string, schema: { safeParse: (value: unknown) => { success: boolean; data?: T } }) =>
    schema.safeParse(query.get(name)).data;
  const status = read<string | undefined>("status", shape.status);
  return {
    search: read<string | undefined>("q", shape.search),
    status: [...tradeStatuses, ...statusWords].find((word) => word === status),
    money: read<typeof shape.money._output>("money", shape.money),
    from: read<string | undefined>("from", shape.from),
    to: read<string | undefined>("to", shape.to),
    sort: read<typeof shape.sort._output>("sort", shape.sort),
    before: read<number | undefined>("before", shape.before),
  };
}

/** The same by the address's own names, for filters that are kept. */
export function readSavedFilter(query: URLSearchParams) {
  const { search, ...rest } = readTransactionFilter(query);
  return { q: search, ...rest };
}
