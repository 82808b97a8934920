import { type Placeholder, sql } from "drizzle-orm";
import { type Executor, isPool } from "../client.ts";

/** The types that a placeholder accepts. */
type Value = string | number | boolean | null | Date;
type PreparedStatement<Rows> = { execute(values?: Record<string, unknown>): Promise<Rows> };
type Buildable<Rows> = { prepare(name: string): PreparedStatement<Rows> };

/**
 * A query that pages, messages or frames run repeatedly. Drizzle builds its SQL once instead of each time, which was three quarters of a
 * query's cost in this process, and Postgres parses it once per connection. Values that change are written `value("name")` and passed by
 * that name. Within a transaction the SQL is built again.
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

/** Converts dates to text: Drizzle passes placeholder values to the driver unconverted, and the driver accepts no dates there. */
function encodeValues(values: Record<string, Value>): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const name in values) {
    const value = values[name];
    all[name] = value instanceof Date ? value.toISOString() : value;
  }
  return all;
}
