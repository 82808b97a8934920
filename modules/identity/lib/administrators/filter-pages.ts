import type { z } from "zod";
import { activitySearch, type FilterPage, peopleFilter } from "../../forms.ts";

/** Reads a list's filter from the query of its address, under the query's own names. Ignores invalid values and omits defaults. */
type FilterReader = (query: URLSearchParams) => Record<string, unknown>;

const filterReaders: Partial<Record<FilterPage, FilterReader | undefined>> = {
  users: readerForSchema(peopleFilter),
  "activity-logs": readerForSchema(activitySearch),
};

/** Registers, at start, how a page of a higher module reads its address. Returns a function that puts the former reader back. */
export function registerFilterPage(page: FilterPage, reads: FilterReader): () => void {
  const former = filterReaders[page];
  filterReaders[page] = reads;
  return () => {
    filterReaders[page] = former;
  };
}

/** Paging parameters are not part of a filter. */
const pagingKeys = ["before", "limit"];

/** A query as the page itself reads it, with the page's own parameters only; "" if it filters nothing. Drops everything else. */
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
