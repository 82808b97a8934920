import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type Sql } from "postgres";
import { databaseOutage, log } from "./log.ts";
import { durations, gauge, readAtScrape } from "./metrics.ts";
import { preparing } from "./statements.ts";
import { setTurns, takeTurn } from "./turns.ts";

/** The drizzle database: for reads, and for single statements that need no transaction. */
export type Db = PostgresJsDatabase;
/** An open transaction. Verbs that must share one take it as their first argument. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
/** Either: a read may run inside a transaction or outside. */
export type Executor = Db | Tx;

let client: Sql | undefined;
let database: Db | undefined;
let side: { client: Sql; database: Db } | undefined;
let address = "";
const waiting = gauge({
  name: "database_transactions_waiting",
  help: "Transactions that wait for a connection of the pool",
});
const open = gauge({
  name: "database_transactions_open",
  help: "Transactions that hold a connection of the pool",
});
const begin = durations({
  name: "database_begin_seconds",
  help: "How long a transaction waited for a connection and its BEGIN",
});
const size = gauge({ name: "database_pool_size", help: "Connections that the pool may have" });
const insideTransaction = new AsyncLocalStorage<true>();
const pools = new WeakSet<Executor>();
/** The replica, for reads that may be a little old (`replica.ts`). */
const readFrom = new AsyncLocalStorage<Db>();
const afterCommits = new WeakMap<Tx, Array<() => void | Promise<void>>>();

/**
 * Opens a postgres.js client of its own, for raw SQL or for a connection that must be held. Unlike `postgres(url)` it
 * understands a unix socket's folder as the host (`postgres://user:password@%2Ffolder/database`), as the embedded
 * database is addressed. Whoever opens it must `end()` it.
 */
export function openClient(url: string, options: Options<Record<string, never>> = {}): Sql {
  const host = decodeURIComponent(new URL(url).hostname);
  return postgres(url, { onnotice: () => {}, ...options, ...(host.startsWith("/") ? { host } : {}) });
}

/** From so many connections on some are kept free of transactions: a tenth of them. */
const sparesFrom = 4;

/**
 * Opens the pool. `max` is the number of connections; of four and more a tenth takes no transactions, so that sessions and pages are
 * read, and health is told, however many transactions wait. Calling it again (tests) replaces the pool.
 */
export function connect(url: string, max = 20): void {
  address = url;
  size.set(max);
  setTurns(max < sparesFrom ? max : max - Math.ceil(max / 10));
  client = openClient(url, {
    max,
    connection: { application_name: "midman" },
    // While the database is away a person gets an answer that says so, not a page that hangs.
    connect_timeout: 5,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
  });
  database = pooled(client);
  const probed = client;
  databaseOutage.probeWith(() => probed`SELECT 1`);
}

/** A pool as drizzle knows it, on which what is asked again stays prepared. */
export function pooled(opened: Sql): Db {
  const made = drizzle(preparing(opened));
  pools.add(made);
  return made;
}

/** Runs `read` with another pool as `db()`. */
export function reading<T>(from: Db, read: () => Promise<T>): Promise<T> {
  return readFrom.run(from, read);
}

/** Closes the pool, waiting at most five seconds for queries under way. */
export async function disconnect(): Promise<void> {
  const closing = [client, side?.client];
  databaseOutage.probeWith(undefined);
  client = undefined;
  database = undefined;
  side = undefined;
  await Promise.all(closing.map((one) => one?.end({ timeout: 5 })));
}

/** The pool, once `connect` ran. Inside a transaction its `tx` is to be used instead. */
export function db(): Db {
  if (database === undefined) throw new Error("db: connect() has not run");
  // Transactions that each wait for a second connection of the pool wait for ever once there are as many as connections.
  if (process.env.NODE_ENV === "test" && insideTransaction.getStore()) {
    throw new Error("db() inside a transaction: use its tx");
  }
  return readFrom.getStore() ?? database;
}

/** True for a pool, where every connection will do; false within a transaction, which has one. */
export function everywhere(exec: Executor): boolean {
  return pools.has(exec);
}

/** A small pool of its own for what is looked up while a transaction is open, so that it never waits for the first. */
export function sideDb(): Db {
  if (database === undefined) throw new Error("db: connect() has not run");
  if (side === undefined) {
    const own = openClient(address, {
      max: 2,
      idle_timeout: 5,
      connection: { application_name: "midman side" },
    });
    side = { client: own, database: pooled(own) };
  }
  return side.database;
}

/**
 * Runs `work` in one transaction, once there is a connection for it; throws `OverloadError` where there is none in time and what
 * is done may be refused (`turns.ts`). What `afterCommit` was given runs once the commit is durable, in order,
 * and never when the transaction rolls back: a hint must not tell of what did not happen.
 */
export async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const later: Array<() => void | Promise<void>> = [];
  const result = await measured((begun) =>
    db().transaction(async (tx) => {
      begun();
      afterCommits.set(tx, later);
      return insideTransaction.run(true, () => work(tx));
    }),
  );
  for (const run of later) {
    // A failed hint is repaired by `seq` and by jobs; it must not turn a committed change into an error.
    try {
      await run();
    } catch (error) {
      log().error({ err: error }, "a hint after a commit failed");
    }
  }
  return result;
}

/**
 * Runs reads that must agree with each other over one unmoving view of the database. Without it each statement sees what was
 * committed meanwhile: a trade's status from before a payment, and its balance from after it.
 */
export function snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return measured((begun) =>
    db().transaction(
      (tx) => {
        begun();
        return insideTransaction.run(true, () => work(tx));
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    ),
  );
}

/** Counts a transaction while it waits for a connection and, from `begun` on, while it holds one. */
async function measured<T>(run: (begun: () => void) => Promise<T>): Promise<T> {
  const asked = performance.now();
  let now = waiting;
  now.inc();
  let giveBack = () => {};
  try {
    giveBack = await takeTurn();
    return await run(() => {
      waiting.dec();
      now = open;
      now.inc();
      begin.observe((performance.now() - asked) / 1_000);
    });
  } finally {
    giveBack();
    now.dec();
  }
}

readAtScrape(
  {
    name: "database_connections",
    help: "Connections to the database, of all instances and scripts, by what they do",
    labels: ["state"],
    keepSeconds: 5,
  },
  async () => {
    if (database === undefined) return [];
    const rows = await database.execute<{ state: string; count: number }>(sql`
      SELECT coalesce(state, 'unknown') AS state, count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' GROUP BY 1`);
    return rows.map(({ state, count }) => ({ labels: { state }, value: count }));
  },
);

/** True where `afterCommit` may be used: inside `transaction()`, and not in a savepoint of it. */
export function takesHints(tx: Tx): boolean {
  return afterCommits.has(tx);
}

/** Registers a hint (publish, wake a worker) for after the commit of `tx`. */
export function afterCommit(tx: Tx, run: () => void | Promise<void>): void {
  const later = afterCommits.get(tx);
  if (later === undefined) throw new Error("afterCommit: not a transaction of transaction()");
  later.push(run);
}
