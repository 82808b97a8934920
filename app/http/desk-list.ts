import { adminFilter } from "#forms/escrow";
import { statuses, statusWords } from "#modules/escrow";
import { paths } from "../paths.ts";

/** The state of the list of transactions, as its address carries it. */
export interface DeskState {
  q?: string | undefined;
  status?: string | undefined;
  money?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: string | undefined;
}

const { shape } = adminFilter;

/** What an address asks of the list; a part of it that says nothing known is passed over. */
export function readDesk(query: URLSearchParams) {
  const read = <T>(
    name: string,
    schema: { safeParse: (value: unknown) => { success: boolean; data?: T } },
  ) => {
    const given = query.get(name);
    return given === null || given === "" ? undefined : schema.safeParse(given).data;
  };
  const status = read<string | undefined>("status", shape.status);
  return {
    search: read<string | undefined>("q", shape.search),
    status: [...statuses, ...statusWords].find((word) => word === status),
    money: read<typeof shape.money._output>("money", shape.money),
    from: read<string | undefined>("from", shape.from),
    to: read<string | undefined>("to", shape.to),
    sort: read<typeof shape.sort._output>("sort", shape.sort),
    before: read<number | undefined>("before", shape.before),
  };
}

/** The list's address for a state of it, with another page of it if `before` is given. */
export function deskAddress(state: DeskState, before?: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...state, before })) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const said = query.toString();
  return said === "" ? paths.adminTransactions : `${paths.adminTransactions}?${said}`;
}
