import { type Placeholder, sql } from "drizzle-orm";
import { type Executor, everywhere } from "./client.ts";

/** What may be handed in. */
type Value = string | number | boolean | null | Date;
type Asked<Rows> = { execute(values?: Record<string, unknown>): Promise<Rows> };
type Buildable<Rows> = { prepare(name: string): Asked<Rows> };

/**
 * A query that pages, messages or frames ask again and again. Its SQL is put together once and not each time, which was three
 * quarters of what asking cost this process; Postgres parses it once a connection. What changes from one time to the
 * next stands in it as `value("name")` and is handed in by that name. Within a transaction it is put together anew.
 */
export function prepared<Values extends Record<string, Value>>() {
  return <Rows>(
    name: string,
    build: (exec: Executor, value: (name: keyof Values & string) => Placeholder) => Buildable<Rows>,
  ): ((exec: Executor, values: Values) => Promise<Rows>) => {
    const made = new WeakMap<Executor, Asked<Rows>>();
    const make = (exec: Executor) => build(exec, (each) => sql.placeholder(each)).prepare(name);
    return (exec, values) => {
      if (!everywhere(exec)) return make(exec).execute(sent(values));
      const known = made.get(exec) ?? make(exec);
      made.set(exec, known);
      return known.execute(sent(values));
    };
  };
}

/** drizzle hands a placeholder's value to the driver as it is, and that one takes no dates from it. */
function sent(values: Record<string, Value>): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const name in values) {
    const value = values[name];
    all[name] = value instanceof Date ? value.toISOString() : value;
  }
  return all;
}
