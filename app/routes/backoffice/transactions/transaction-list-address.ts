import { paths } from "../../../paths.ts";

/** The state of the list of transactions, as its address carries it. */
export interface TransactionListState {
  q?: string | undefined;
  status?: string | undefined;
  money?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: string | undefined;
}

/** The list's address for a state of it, with another page of it if `before` is given. */
export function transactionListAddress(state: TransactionListState, before?: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...state, before })) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const said = query.toString();
  return said === "" ? paths.adminTransactions : `${paths.adminTransactions}?${said}`;
}
