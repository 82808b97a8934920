import { paths } from "../../../paths.ts";

/** Search, filters and order of the transaction list, as in its address. */
export interface TransactionListState {
  q?: string | undefined;
  status?: string | undefined;
  money?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: string | undefined;
}

/** The list's address for a state; with `before`, of a later page. */
export function transactionListAddress(state: TransactionListState, before?: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...state, before })) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const said = query.toString();
  return said === "" ? paths.adminTransactions : `${paths.adminTransactions}?${said}`;
}
