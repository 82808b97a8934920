import type { Sql, TransactionSql, UnsafeQueryOptions } from "postgres";

/** Limit of statements that stay prepared on a connection, and of texts remembered as run once. */
const mostPrepared = 1_000;

/** Decides whether a statement is prepared on the connections of a pool. */
type PreparationRule = (text: string) => boolean;

/** A statement is prepared from its second run on: lists of varying length produce texts that are run only once. */
function createPreparationRule(): PreparationRule {
  const preparedTexts = new Set<string>();
  const askedOnce = new Set<string>();
  return (text) => {
    if (preparedTexts.has(text)) return true;
    if (preparedTexts.size >= mostPrepared) return false;
    if (askedOnce.delete(text)) preparedTexts.add(text);
    else if (askedOnce.size < mostPrepared) askedOnce.add(text);
    else askedOnce.clear();
    return preparedTexts.has(text);
  };
}

/**
 * Named queries (`db/client/prepared-query.ts`) are short. Those sent in the same turn of the event loop share one packet on one connection
 * (`gathered`, from Midman's patch of postgres.js), because a packet costs more than a query.
 */
function chooseQueryOptions(
  named: boolean,
  text: string,
  shouldPrepare: PreparationRule,
): UnsafeQueryOptions {
  return named ? ({ prepare: true, gathered: true } as UnsafeQueryOptions) : { prepare: shouldPrepare(text) };
}

/**
 * Drizzle makes postgres.js parse every statement again, which takes two round trips instead of one. On this client and in its
 * transactions, repeated statements stay prepared on their connection.
 */
export function withPreparedStatements<T extends Sql | TransactionSql>(
  client: T,
  shouldPrepare: PreparationRule = createPreparationRule(),
): T {
  const ask = client.unsafe;
  client.unsafe = ((text, values, options) =>
    ask(text, values, {
      ...options,
      ...chooseQueryOptions(options?.prepare === true, text, shouldPrepare),
    })) as Sql["unsafe"];
  if ("begin" in client) prepareWithinScope(client, "begin", shouldPrepare);
  if ("savepoint" in client) prepareWithinScope(client, "savepoint", shouldPrepare);
  return client;
}

type OpenScope = (...given: unknown[]) => unknown;

/** Makes the transactions opened by this method prepare their statements too. */
function prepareWithinScope(client: object, name: string, shouldPrepare: PreparationRule): void {
  const open = Reflect.get(client, name) as OpenScope;
  const opened: OpenScope = (...given) => {
    const work = given.pop() as (tx: TransactionSql) => unknown;
    return open(...given, (tx: TransactionSql) => work(withPreparedStatements(tx, shouldPrepare)));
  };
  Object.assign(client, { [name]: opened });
}
