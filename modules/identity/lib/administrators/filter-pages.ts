import type { z } from "zod";
import { activitySearch, type FilterPage, peopleFilter } from "../../forms.ts";

/** What an address asks of a list, by the address's own names; what it says wrongly is passed over, and what is usual is left out. */
type FilterReader = (query: URLSearchParams) => Record<string, unknown>;

const filterReaders: Partial<Record<FilterPage, FilterReader>> = {
  users: readerForSchema(peopleFilter),
  "activity-logs": readerForSchema(activitySearch),
};

/** Registers how a page of a higher module reads its address, at start. */
export function registerFilterPage(page: FilterPage, reads: FilterReader): void {
  filterReaders[page] = reads;
}

/** Where a list goes on is no part of its filter. */
const pagingKeys = ["before", "limit"];

/**
 * A query as the page itself understands it, in the page's own words and no others: "" where it asks nothing. Whatever else stands in
 * what was sent is gone.
 */
export function normalizeFilterQuery(page: FilterPage, query: string): string {
  const reads = filterReaders[page];
  if (reads === undefined) throw new Error(`identity: nobody reads the filters of ${page}`);
  const asked = Object.entries(reads(new URLSearchParams(query))).flatMap(([name, value]) =>
    value === undefined || value === "" || pagingKeys.includes(name) ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(asked).toString();
}

function readerForSchema(schema: z.ZodType<Record<string, unknown>>): FilterReader {
  const usual = schema.parse({});
  return (query) => {
    const asked = Object.entries(schema.parse(Object.fromEntries(query)));
    return Object.fromEntries(asked.filter(([name, value]) => value !== usual[name]));
  };
}
