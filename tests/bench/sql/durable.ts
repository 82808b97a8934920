import { openClient } from "../../../db/client.ts";
import { migrateDatabase } from "../../../db/migrate.ts";
import { startDurablePostgres } from "../../support/database/durable-postgres.ts";
import { type Midman, startMidman } from "../support/midman.ts";
import type { Recorded } from "./script.ts";

/** Connections of the server's pool, and so of pgbench. */
export const connections = 20;

export type Durable = Midman & { record(what: () => Promise<unknown>): Promise<Recorded[]> };

/**
 * A Midman that can note its statements, on a Postgres that writes to disk what it acknowledges (fsync on). Start it with this
 * process on the load's core: Postgres stays there. Ids of each kind lie in a range of their own, so that none is taken for another.
 */
export async function startDurable(): Promise<Durable> {
  const postgres = await startDurablePostgres();
  await migrateDatabase(postgres.url);
  await apart(postgres.url);
  const midman = await startMidman({ databaseUrl: postgres.url, program: "tests/bench/sql/recording.ts" });
  const end = async () => {
    await midman.end();
    await postgres.stop();
  };
  const record = async (what: () => Promise<unknown>) => {
    await midman.ask({ record: true });
    await what();
    return await midman.ask<Recorded[]>({ record: false });
  };
  return { ...midman, record, end, [Symbol.asyncDispose]: end };
}

async function apart(url: string): Promise<void> {
  const sql = openClient(url, { max: 1 });
  const all = await sql<Array<{ name: string }>>`
    SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences
    WHERE data_type::text = 'bigint' AND schemaname NOT IN ('pgboss', 'drizzle') ORDER BY 1`;
  for (const [at, { name }] of all.entries()) {
    await sql.unsafe(`ALTER SEQUENCE ${name} RESTART ${(at + 1) * 10_000_000 + 1}`);
  }
  await sql.end();
}

/** The one with the fewest statements: a job of the server's own may have run beside the others. */
export function leanest(recordings: readonly [Recorded[], ...Recorded[][]]): Recorded[] {
  return recordings.reduce((least, next) => (next.length < least.length ? next : least));
}
