/**
 * Midman for bench:messages and bench:money: the whole server, which on request notes every statement that its pool is asked, in
 * transactions and outside, with its values and what it answered, until it is asked for them.
 */
import type { Sql, TransactionSql } from "postgres";
import { db } from "#db/client";
import type { Recorded } from "./script.ts";

await import("../../../app/server.ts");

let heard: Recorded[] | undefined;
const { $client } = db() as unknown as { $client: Sql };
listen($client);
const begin = Reflect.get($client, "begin") as (...given: unknown[]) => Promise<unknown>;
Object.assign($client, {
  begin: async (...given: unknown[]) => {
    const work = given.pop() as (tx: TransactionSql) => unknown;
    const mine: Recorded[] = [];
    const done = await begin(...given, (tx: TransactionSql) => {
      mine.push({ text: ["BEGIN", ...given].join(" "), values: [], answer: [] });
      listen(tx, mine);
      return work(tx);
    });
    heard?.push(...mine, { text: "COMMIT", values: [], answer: [] });
    return done;
  },
});

/** Notes what this client is asked, into `own` where it is a transaction's: two that run at once must not be mixed. */
function listen(client: Sql | TransactionSql, own?: Recorded[]): void {
  const ask = client.unsafe;
  client.unsafe = ((text, values, options) => {
    const query = ask(text, values, options);
    if (/^begin/i.test(text)) return query; // stands at the head of its transaction already
    const noted: Recorded = { text, values: values ?? [], answer: [] };
    (own ?? heard)?.push(noted);
    const waiting = query as unknown as { resolve(rows: Answered): void };
    const resolve = waiting.resolve;
    waiting.resolve = (rows) => {
      noted.answer = rowOf(rows);
      resolve(rows);
    };
    return query;
  }) as Sql["unsafe"];
}

type Answered = unknown[] & { columns?: Array<{ name: string }> };

/** The columns of an answer of one row. */
function rowOf(rows: Answered): Recorded["answer"] {
  const [row, more] = rows;
  if (row === undefined || more !== undefined) return [];
  const values = Array.isArray(row) ? row : Object.values(row as object);
  return (rows.columns ?? []).map(({ name }, at) => ({ name, value: values[at] }));
}

process.on("message", ({ record }: { record: boolean }) => {
  process.send?.(heard ?? []);
  heard = record ? [] : undefined;
});
process.on("disconnect", () => process.exit());
