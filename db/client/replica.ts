import type { Sql } from "postgres";
import { createDrizzlePool, type Db, db, openClient, readFromPool } from "../client.ts";
import { log, reasonOf } from "../log.ts";
import { createGauge } from "../metrics.ts";

/** How often the replica's lag is measured, and the largest lag in ms at which it is read: data shown may be this old. */
const LOOK_MS = 1_000;
const MOST_BEHIND_MS = 5_000;
/** Timeouts in ms of a read and of a lag measurement: a dead connection would otherwise end only after minutes. */
const PATIENCE_MS = 5_000;
const LOOK_PATIENCE_MS = 2_000;

/** The position of the primary's write-ahead log (bytes since its beginning), and when it was read, in ms of this process. */
type Mark = { at: number; asked: number };
type Replica = { client: Sql; database: Db; marks: Mark[]; follows: boolean; said: string };
let followedReplica: Replica | undefined;

/**
 * Opens the replica of DATABASE_REPLICA_URL and measures its lag every second; without a URL there is none. Never prevents a start:
 * problems are logged, and everything is read from DATABASE_URL. Returns a function that closes the replica.
 */
export async function followReplica(url: string | undefined): Promise<() => Promise<void>> {
  if (url === undefined) return async () => {};
  const connection = { application_name: "midman replica" };
  const client = openClient(url, { max: 10, connect_timeout: 3, connection });
  const own: Replica = { client, database: createDrizzlePool(client), marks: [], follows: false, said: "" };
  followedReplica = own;
  let timer: Timer | undefined;
  const again = async () => {
    await checkReplica(own);
    if (followedReplica === own) timer = setTimeout(again, LOOK_MS);
  };
  await again();
  return async () => {
    followedReplica = undefined;
    clearTimeout(timer);
    await client.end({ timeout: 1 });
  };
}

/**
 * Reads from the replica while its lag is small, otherwise from the primary: for lists, searches and exports, which may be up to five
 * seconds old. Within `read`, `db()` is the replica. A read that fails there is repeated on the primary: the replica may be gone, may have
 * cancelled a long query, or may lack a new table. `read` must not write, nor read what its caller has just written. A list that continues
 * from a row passes `known`, which checks that the replica has that row.
 */
export async function fromReplica<T>(read: () => Promise<T>, known?: () => Promise<boolean>): Promise<T> {
  if (followedReplica?.follows !== true) return read();
  try {
    const whole = async () => {
      if (known !== undefined && !(await known())) throw new Error("the row to go on from is not there yet");
      return read();
    };
    return await withTimeout(readFromPool(followedReplica.database, whole), PATIENCE_MS);
  } catch (error) {
    log().warn({ reason: reasonOf(error) }, "the replica did not answer: reading from DATABASE_URL");
    return read();
  }
}

async function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function checkReplica(own: Replica): Promise<void> {
  const behindMs = await measureLag(own).catch(() => Number.POSITIVE_INFINITY);
  own.follows = behindMs <= MOST_BEHIND_MS;
  createGauge({
    name: "database_replica_behind_seconds",
    help: "Replication lag of the replica",
  }).set(behindMs / 1_000);
}

/** The replica's largest possible lag in ms; infinite if it follows another database or none. */
async function measureLag(own: Replica): Promise<number> {
  const asked = performance.now();
  const [primary] = await db().execute<{ at: number; system: string }>(`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS at, system_identifier::text AS system
    FROM pg_control_system()`);
  const copy = own.client<Array<{ at: number | null; system: string }>>`
    SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS at, system_identifier::text AS system
    FROM pg_control_system() WHERE pg_is_in_recovery()`;
  const [found] = await withTimeout(copy, LOOK_PATIENCE_MS).catch((error) => {
    logStateChange(own, "DATABASE_REPLICA_URL does not answer", reasonOf(error));
    throw error;
  });
  if (primary === undefined || found?.system !== primary.system) {
    logStateChange(own, "DATABASE_REPLICA_URL is not a replica of DATABASE_URL");
    return Number.POSITIVE_INFINITY;
  }
  own.marks.push({ at: primary.at, asked });
  const reached = own.marks.findLastIndex(({ at }) => at <= (found.at ?? 0));
  own.marks = own.marks.slice(Math.max(reached, 0)).slice(-2 * (MOST_BEHIND_MS / LOOK_MS));
  const behindMs = performance.now() - (own.marks[0]?.asked ?? asked);
  logStateChange(
    own,
    behindMs > MOST_BEHIND_MS ? "the replica is too far behind: reading from DATABASE_URL" : "",
  );
  return reached < 0 ? Number.POSITIVE_INFINITY : behindMs;
}

/** Logs each state once, when it begins. */
function logStateChange(own: Replica, says: string, reason?: string): void {
  if (says !== "" && says !== own.said) log().warn({ ...(reason && { reason }) }, says);
  own.said = says;
}
