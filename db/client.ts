import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type Sql } from "postgres";
import { withPreparedStatements } from "./client/prepared-statements.ts";
import { setTurns, takeTurn } from "./client/transaction-turns.ts";
import { databaseOutage, log } from "./log.ts";
import { createDurationHistogram, createGauge, registerScrapedGauge } from "./metrics.ts";

/** The Drizzle database: for reads, and for single statements that need no transaction. */
export type Db = PostgresJsDatabase;
/** An open transaction. Verbs that must share one take it as their first argument. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
/** A read may run inside or outside a transaction. */
export type Executor = Db | Tx;

let poolClient: Sql | undefined;
let poolDatabase: Db | undefined;
let sidePool: { client: Sql; database: Db } | undefined;
let databaseUrl = "";
const waitingGauge = createGauge({
  name: "database_transactions_waiting",
  help: "Transactions that wait for a connection of the pool",
});
const openGauge = createGauge({
  name: "database_transactions_open",
  help: "Transactions that hold a connection of the pool",
});
const beginHistogram = createDurationHistogram({
  name: "database_begin_seconds",
  help: "Time until a transaction had a connection and had begun",
});
const poolSizeGauge = createGauge({
  name: "database_pool_size",
  help: "Maximum number of connections of the pool",
});
const insideTransaction = new AsyncLocalStorage<true>();
const knownPools = new WeakSet<Executor>();
/** The replica, for reads that may be a little old (`db/client/replica.ts`). */
const readFrom = new AsyncLocalStorage<Db>();
const afterCommits = new WeakMap<Tx, Array<() => void | Promise<void>>>();

/**
 * Opens a separate postgres.js client, for raw SQL or for a connection that must be held. Unlike `postgres(url)` it accepts the folder of a
 * unix socket as the host (`postgres://user:password@%2Ffolder/database`), which is the embedded database's address. The caller must
 * `end()` it.
 */
export function openClient(url: string, options: Options<Record<string, never>> = {}): Sql {
  const host = decodeURIComponent(new URL(url).hostname);
  return postgres(url, { onnotice: () => {}, ...options, ...(host.startsWith("/") ? { host } : {}) });
}

/** From this pool size on, a tenth of the connections takes no transactions. */
const reserveThreshold = 4;

/**
 * Opens the pool. `max` is the number of connections. From four on, a tenth of them takes no transactions, so that sessions, pages and
 * health checks can be read however many transactions wait. Calling it again (tests) replaces the pool.
 */
export function connectDatabase(url: string, max = 20): void {
  databaseUrl = url;
  poolSizeGauge.set(max);
  setTurns(max < reserveThreshold ? max : max - Math.ceil(max / 10));
  poolClient = openClient(url, {
    max,
    connection: { application_name: "midman" },
    // While the database is down, a person gets an error page and not a page that hangs.
    connect_timeout: 5,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
  });
  poolDatabase = createDrizzlePool(poolClient);
  const probed = poolClient;
  databaseOutage.probeWith(() => probed`SELECT 1`);
}

/** A Drizzle database over this pool, on which repeated statements stay prepared. */
export function createDrizzlePool(opened: Sql): Db {
  const made = drizzle(withPreparedStatements(opened));
  knownPools.add(made);
  return made;
}

/** Runs `read` with `from` as `db()`. */
export function readFromPool<T>(from: Db, read: () => Promise<T>): Promise<T> {
  return readFrom.run(from, read);
}

/** Closes the pool, waiting at most five seconds for running queries. */
export async function disconnectDatabase(): Promise<void> {
  const closing = [poolClient, sidePool?.client];
  databaseOutage.probeWith(undefined);
  poolClient = undefined;
  poolDatabase = undefined;
  sidePool = undefined;
  await Promise.all(closing.map((one) => one?.end({ timeout: 5 })));
}

/** The pool, once `connectDatabase` has run. Inside a transaction use its `tx` instead. */
export function db(): Db {
  if (poolDatabase === undefined) throw new Error("db: connect() has not run");
  // If as many transactions as there are connections each wait for a second one, all of them wait forever.
  if (process.env.NODE_ENV === "test" && insideTransaction.getStore()) {
    throw new Error("db() inside a transaction: use its tx");
  }
  return readFrom.getStore() ?? poolDatabase;
}

/** True for a pool, which may use any of its connections; false for a transaction, which has one. */
export function isPool(exec: Executor): boolean {
  return knownPools.has(exec);
}

/** A separate small pool for lookups while a transaction is open, so that they never wait for the main pool. */
export function sideDb(): Db {
  if (poolDatabase === undefined) throw new Error("db: connect() has not run");
  if (sidePool === undefined) {
    const own = openClient(databaseUrl, {
      max: 2,
      idle_timeout: 5,
      connection: { application_name: "midman side" },
    });
    sidePool = { client: own, database: createDrizzlePool(own) };
  }
  return sidePool.database;
}

/**
 * Runs `work` in one transaction once a connection is free. Throws `OverloadError` if none becomes free in time and the work may be refused
 * (`db/client/transaction-turns.ts`). Functions registered with `afterCommit` run in order once the commit is durable, and never after a
 * rollback: a hint must not announce what did not happen.
 */
export async function runInTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const later: Array<() => void | Promise<void>> = [];
  const result = await measureTransaction((begun) =>
    db().transaction(async (tx) => {
      begun();
      afterCommits.set(tx, later);
      return insideTransaction.run(true, () => work(tx));
    }),
  );
  for (const run of later) {
    // `seq` and jobs repair a failed hint; it must not turn a committed change into an error.
    try {
      await run();
    } catch (error) {
      log().error({ err: error }, "a hint after a commit failed");
    }
  }
  return result;
}

/**
 * Runs reads that must agree with each other in one snapshot. Otherwise each statement sees what was committed meanwhile: a trade's status
 * from before a payment, and its balance from after it.
 */
export function runInSnapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return measureTransaction((begun) =>
    db().transaction(
      (tx) => {
        begun();
        return insideTransaction.run(true, () => work(tx));
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    ),
  );
}

/** Counts a transaction while it waits for a connection, and from `begun` on while it holds one. */
async function measureTransaction<T>(run: (begun: () => void) => Promise<T>): Promise<T> {
  const asked = performance.now();
  let now = waitingGauge;
  now.inc();
  let giveBack = () => {};
  try {
    giveBack = await takeTurn();
    return await run(() => {
      waitingGauge.dec();
      now = openGauge;
      now.inc();
      beginHistogram.observe((performance.now() - asked) / 1_000);
    });
  } finally {
    giveBack();
    now.dec();
  }
}

registerScrapedGauge(
  {
    name: "database_connections",
    help: "Connections to the database from all instances and scripts, by state",
    labels: ["state"],
    keepSeconds: 5,
  },
  async () => {
    if (poolDatabase === undefined) return [];
    const rows = await poolDatabase.execute<{ state: string; count: number }>(sql`
      SELECT coalesce(state, 'unknown') AS state, count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' GROUP BY 1`);
    return rows.map(({ state, count }) => ({ labels: { state }, value: count }));
  },
);

/** True if `afterCommit` may be used: directly inside `runInTransaction`, not in a savepoint. */
export function acceptsAfterCommit(tx: Tx): boolean {
  return afterCommits.has(tx);
}

/** Registers a hint (publish, wake a worker) to run after the commit of `tx`. */
export function afterCommit(tx: Tx, run: () => void | Promise<void>): void {
  const later = afterCommits.get(tx);
  if (later === undefined) throw new Error("afterCommit: not a transaction of transaction()");
  later.push(run);
}
