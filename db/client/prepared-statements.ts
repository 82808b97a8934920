import type { Sql, TransactionSql, UnsafeQueryOptions } from "postgres";

/** Limit of statements that stay prepared on a connection, and of texts remembered as run once. */
const mostPrepared = 1_000;
const preparedTexts = new Set<string>();
const askedOnce = new Set<string>();

/** A statement is prepared from its second run on: lists of varying length produce texts that are run only once. */
function worthPreparing(text: string): boolean {
  if (preparedTexts.has(text)) return true;
  if (preparedTexts.size >= mostPrepared) return false;
  if (askedOnce.delete(text)) preparedTexts.add(text);
  else if (askedOnce.size < mostPrepared) askedOnce.add(text);
  else askedOnce.clear();
  return preparedTexts.has(text);
}

/**
 * Named queries (`db/client/prepared-query.ts`) are short. Those sent in the same turn of the event loop share one packet on one connection
 * (`gathered`, from Midman's patch of postgres.js), because a packet costs more than a query.
 */
function chooseQueryOptions(named: boolean, text: string): UnsafeQueryOptions {
  return named
    ? ({ prepare: true, gathered: true } as UnsafeQueryOptions)
    : { prepare: worthPreparing(text) };
}

/**
 * Drizzle makes postgres.js parse every statement again, which takes two round trips instead of one. On this client and in its
 * transactions, repeated statements stay prepared on their connection.
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

/** Makes the transactions opened by this method prepare their statements too. */
function prepareWithinScope(client: object, name: string): void {
  const open = Reflect.get(client, name) as OpenScope;
  const opened: OpenScope = (...given) => {
    const work = given.pop() as (tx: TransactionSql) => unknown;
    return open(...given, (tx: TransactionSql) => work(withPreparedStatements(tx)));
  };
  Object.assign(client, { [name]: opened });
}
