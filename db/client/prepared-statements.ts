import type { Sql, TransactionSql, UnsafeQueryOptions } from "postgres";

/** So many statements stay prepared on a connection at most, and so many are remembered as asked once. */
const mostPrepared = 1_000;
const preparedTexts = new Set<string>();
const askedOnce = new Set<string>();

/** From the second time on that a statement is asked it is worth keeping; lists of any length make texts that come once. */
function worthPreparing(text: string): boolean {
  if (preparedTexts.has(text)) return true;
  if (preparedTexts.size >= mostPrepared) return false;
  if (askedOnce.delete(text)) preparedTexts.add(text);
  else if (askedOnce.size < mostPrepared) askedOnce.add(text);
  else askedOnce.clear();
  return preparedTexts.has(text);
}

/**
 * Queries that have a name (`db/client/prepared-query.ts`) are short: those that are asked in the same turn of the event loop leave in one
 * packet over one connection (`gathered`, of our patch of postgres.js), for each packet costs more than a query.
 */
function chooseQueryOptions(named: boolean, text: string): UnsafeQueryOptions {
  return named
    ? ({ prepare: true, gathered: true } as UnsafeQueryOptions)
    : { prepare: worthPreparing(text) };
}

/**
 * drizzle has postgres.js parse each statement anew, which takes two journeys to the server instead of one. On this client, and
 * in its transactions, what is asked again stays prepared on its connection.
 */
export function withPreparedStatements<T extends Sql | TransactionSql>(client: T): T {
  const ask = client.unsafe;
  client.unsafe = ((text, values, options) =>
    ask(text, values, {
      ...options,
      ...chooseQueryOptions(options?.prepare === true, text),
    })) as Sql["unsafe"];
  if ("begin" in client) prepareWithinScope(client, "begin");
  if ("savepoint" in client) prepareWithinScope(client, "savepoint");
  return client;
}

type OpenScope = (...given: unknown[]) => unknown;

/** Whatever is opened so, prepares too. */
function prepareWithinScope(client: object, name: string): void {
  const open = Reflect.get(client, name) as OpenScope;
  const opened: OpenScope = (...given) => {
    const work = given.pop() as (tx: TransactionSql) => unknown;
    return open(...given, (tx: TransactionSql) => work(withPreparedStatements(tx)));
  };
  Object.assign(client, { [name]: opened });
}
