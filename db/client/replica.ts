import type { Sql } from "postgres";
import { createDrizzlePool, type Db, db, openClient, readFromPool } from "../client.ts";
import { log, reasonOf } from "../log.ts";
import { createGauge } from "../metrics.ts";

/** How often it is looked how far the replica has come, and how far behind it may be to be asked: what is shown may be that old. */
const LOOK_MS = 1_000;
const MOST_BEHIND_MS = 5_000;
/** Longer than this no answer of a replica is waited for, nor one to a look: a line that carries nothing ends by itself after minutes. */
const PATIENCE_MS = 5_000;
const LOOK_PATIENCE_MS = 2_000;

/** Where the primary's log had come to (bytes since its beginning), and when that was asked, in ms of this process. */
type Mark = { at: number; asked: number };
type Replica = { client: Sql; database: Db; marks: Mark[]; follows: boolean; said: string };
let followedReplica: Replica | undefined;

/**
 * Opens the replica of DATABASE_REPLICA_URL and looks every second how far it is behind; without an address there is none. It never
 * ends a start: what is wrong with it is told in the log, and everything is read from DATABASE_URL. Answers what closes it.
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
 * Reads from the replica while it follows closely, else from the primary: for lists, searches and exports, which may be up to five
 * seconds old. Within `read`, `db()` is the replica. Whatever fails there is read again from the primary: the replica may have gone,
 * may have withdrawn rows under a long query, or lack a new table. `read` must not write, nor read what its caller has just written;
 * a list that goes on from a row says by `known` whether that row is there already.
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
    log().warn({ reason: reasonOf(error) }, "the replica did not answer: read from DATABASE_URL");
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
    help: "How far the replica is behind the primary",
  }).set(behindMs / 1_000);
}

/** How many ms the replica is behind at most; infinite for what follows another database, or none. */
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
    logStateChange(own, "DATABASE_REPLICA_URL is no replica of DATABASE_URL");
    return Number.POSITIVE_INFINITY;
  }
  own.marks.push({ at: primary.at, asked });
  const reached = own.marks.findLastIndex(({ at }) => at <= (found.at ?? 0));
  own.marks = own.marks.slice(Math.max(reached, 0)).slice(-2 * (MOST_BEHIND_MS / LOOK_MS));
  const behindMs = performance.now() - (own.marks[0]?.asked ?? asked);
  logStateChange(
    own,
    behindMs > MOST_BEHIND_MS ? "the replica is too far behind: read from DATABASE_URL" : "",
  );
  return reached < 0 ? Number.POSITIVE_INFINITY : behindMs;
}

/** Each state is told once, when it begins. */
function logStateChange(own: Replica, says: string, reason?: string): void {
  if (says !== "" && says !== own.said) log().warn({ ...(reason && { reason }) }, says);
  own.said = says;
}
