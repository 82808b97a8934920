import { type Placeholder, sql } from "drizzle-orm";
import { type Executor, isPool } from "../client.ts";

/** What may be handed in. */
type Value = string | number | boolean | null | Date;
type PreparedStatement<Rows> = { execute(values?: Record<string, unknown>): Promise<Rows> };
type Buildable<Rows> = { prepare(name: string): PreparedStatement<Rows> };

/**
 * A query that pages, messages or frames ask again and again. Its SQL is put together once and not each time, which was three
 * quarters of what asking cost this process; Postgres parses it once a connection. What changes from one time to the
 * next stands in it as `value("name")` and is handed in by that name. Within a transaction it is put together anew.
 */
export function prepareQuery<Values extends Record<string, Value>>() {
  return <Rows>(
    name: string,
    build: (exec: Executor, value: (name: keyof Values & string) => Placeholder) => Buildable<Rows>,
  ): ((exec: Executor, values: Values) => Promise<Rows>) => {
    const made = new WeakMap<Executor, PreparedStatement<Rows>>();
    const make = (exec: Executor) => build(exec, (each) => sql.placeholder(each)).prepare(name);
    return (exec, values) => {
      if (!isPool(exec)) return make(exec).execute(encodeValues(values));
      const known = made.get(exec) ?? make(exec);
      made.set(exec, known);
      return known.execute(encodeValues(values));
    };
  };
}

/** drizzle hands a placeholder's value to the driver as it is, and that one takes no dates from it. */
function encodeValues(values: Record<string, Value>): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const name in values) {
    const value = values[name];
    all[name] = value instanceof Date ? value.toISOString() : value;
  }
  return all;
}
