import { sql } from "drizzle-orm";
import { type ConstructorOptions, fromDrizzle, PgBoss } from "pg-boss";
import { type Db, sideDb } from "../client.ts";
import { log } from "../log.ts";

/** The schema that pg-boss keeps its tables in. */
export const SCHEMA = "pgboss";

/** Timers that keep no process alive: a script that only enqueues must be able to end. */
const idleClock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms).unref(),
  setInterval: (run: () => void, ms: number) => setInterval(run, ms).unref(),
  clearTimeout: (timer: unknown) => clearTimeout(timer as Timer),
  clearInterval: (timer: unknown) => clearInterval(timer as Timer),
};

/**
 * Creates a pg-boss that logs its errors; without a listener they would end the process.
 *
 * @public A program in `outage-at-exit.test.ts` imports it, which knip cannot see.
 */
export function makeBoss(options: ConstructorOptions): PgBoss {
  const boss = new PgBoss({ schema: SCHEMA, ...options });
  boss.on("error", (error) => log().error({ err: asConnectionError(error) }, "jobs"));
  return boss;
}

/**
 * Turns a lost connection of pg-boss into the error that postgres.js throws, so that `isLost` recognises it. pg-boss uses another driver (`pg`),
 * which reports a lost connection by its message only, and passes errors of the system or the server on, some as objects that are not an Error.
 */
function asConnectionError(error: unknown): unknown {
  const { code, message = "" } = error as { code?: unknown; message?: string };
  const isSystemError = typeof code === "string" && /^(?:E[A-Z]+|08\w{3}|53300|57P0[123])$/.test(code);
  const isLost =
    isSystemError || /^Connection terminated|^timeout exceeded when trying to connect/.test(message);
  const words = message || `no connection (${code})`;
  const cause = error instanceof Error ? error : undefined;
  return isLost ? Object.assign(new Error(words, { cause }), { code: "CONNECTION_CLOSED" }) : error;
}

/** A pg-boss with workers. It supervises often, so that the job of a killed worker returns within seconds. */
export function workingBoss(connectionString: string, supervise: boolean): PgBoss {
  return makeBoss({
    connectionString,
    max: 5,
    supervise,
    schedule: supervise,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    warningQueueSize: 10_000,
  });
}

const sendersByPool = new WeakMap<Db, Promise<PgBoss>>();

/**
 * A pg-boss that only sends, for scripts and tests without workers. It uses the side pool of `#db/client`, because it is used while a
 * transaction is open.
 */
export function sendingBoss(): Promise<PgBoss> {
  const pool = sideDb();
  let sender = sendersByPool.get(pool);
  if (sender === undefined) {
    sender = makeBoss({ ...passiveOptions, db: adaptPool(pool), migrate: false, clock: idleClock }).start();
    sendersByPool.set(pool, sender);
  }
  return sender;
}

/** pg-boss passes some JSON as objects, which the driver under Drizzle accepts only as text. */
function adaptPool(pool: Db) {
  const plain = fromDrizzle(pool, sql);
  const asText = (value: unknown) =>
    Object.prototype.toString.call(value) === "[object Object]" ? JSON.stringify(value) : value;
  return {
    ...plain,
    executeSql: (text: string, values: unknown[] = []) => plain.executeSql(text, values.map(asText)),
  };
}

const passiveOptions = { supervise: false, schedule: false } as const;

/** Brings pg-boss's own tables up to date. The caller holds the migrations' lock. */
export async function migrateBoss(
  run: (text: string, values: unknown[]) => Promise<Iterable<unknown>>,
): Promise<void> {
  const boss = makeBoss({
    ...passiveOptions,
    db: { executeSql: async (text, values) => ({ rows: [...(await run(text, values ?? []))] }) },
  });
  await boss.start();
  await boss.stop({ graceful: false });
}
