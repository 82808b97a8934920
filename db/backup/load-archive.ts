import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { runInTransaction, type Tx } from "../client.ts";
import { currentTime } from "../clock.ts";
import { openFileStore as place } from "../files.ts";
import { LOCK } from "../migrate.ts";
import { applyTransactionSettings, driverTransactionOf } from "./driver-transaction.ts";
import type { Header, Manifest } from "./manifest.ts";
import { type Archive, readArchive } from "./read-archive.ts";
import { findPresentSchemas, listMigrations, makeTables, migrateFurther } from "./schema-state.ts";
import { suspendRules } from "./suspend-rules.ts";
import { contentOf, listTables, type Table } from "./tables.ts";
import { markUnfinished, unfinishedRestore } from "./unfinished-restore.ts";

/**
 * So far the numbers of new rows go on beyond those of the archive: what was given a number after the backup, and is named by it at the
 * bank, in a mail or in an address, is never meant by a row of another.
 */
const NUMBERS_AHEAD = 1_000_000;

/** A backup that cannot be restored here, with what to do in words for the operator. */
export class NoRestore extends Error {
  override name = "NoRestore";
}

/** What the modules above do with their own, in the transaction that restores. */
export type Sinks = {
  /** Proves what was restored against the manifest; answers what is otherwise, nothing when all is as it was. */
  prove(tx: Tx, manifest: Manifest): Promise<string[]>;
  /** What must hold of a restored database before anybody is served. */
  settle(tx: Tx, proved: ProvedArchive): Promise<void>;
};

/** What an archive was proved to hold (`proveArchive`). */
export type ProvedArchive = { manifest: Manifest; digest: string };

/** Refuses an archive that this program cannot restore, by what stands first in it. */
export function mustBeReadable({ migration, boss }: Header, own: { boss: number }): void {
  if (!listMigrations().some(({ tag, when }) => tag === migration.tag && when === migration.when)) {
    throw new NoRestore(`it was made by a newer Midman (${migration.tag}): restore it by that version`);
  }
  if (boss !== own.boss) {
    throw new NoRestore(
      `its jobs are kept as pg-boss ${boss} keeps them, this Midman's as ${own.boss}: restore it by the version of Midman that made it, then upgrade`,
    );
  }
}

/**
 * Fills an empty database from an archive, in one transaction: tables as they were after the archive's migration, rows, sequences, files,
 * then newer migrations; nothing is kept unless every table and the proofs are as the manifest says. `#db/client` must be connected.
 * A Midman that starts meanwhile waits, and is refused until `markFinished` (`db/backup/unfinished-restore.ts`). Throws NoRestore or BadArchive, and the database is empty as before; files may have been stored.
 */
export async function loadArchive(archive: Archive, proved: ProvedArchive, sinks: Sinks): Promise<void> {
  const { manifest } = proved;
  await runInTransaction(async (tx) => {
    await driverTransactionOf(tx)`SELECT pg_advisory_xact_lock(${LOCK})`;
    const there = await findPresentSchemas(tx);
    if (there.length > 0) {
      const why = (await unfinishedRestore(tx)) ?? `it has ${there.join(", ")}`;
      throw new NoRestore(`the database is not empty: ${why}`);
    }
    await fillTables(tx, archive, proved);
    await assertTablesMatch(tx, manifest);
    await migrateFurther(tx, manifest.header.migration.when);
    await applyTransactionSettings(tx); // and so may migrations
    const otherwise = await sinks.prove(tx, manifest);
    if (otherwise.length > 0)
      throw new NoRestore(`what was restored is not what was saved: ${otherwise.join("; ")}`);
    await sinks.settle(tx, proved);
    await markUnfinished(tx, currentTime());
    for (const { name } of await listTables(tx)) await driverTransactionOf(tx).unsafe(`ANALYZE ${name}`);
  });
}

async function fillTables(tx: Tx, archive: Archive, { manifest, digest }: ProvedArchive): Promise<void> {
  await applyTransactionSettings(tx);
  mustBeReadable(manifest.header, await makeTables(tx, manifest.header.migration.when));
  await applyTransactionSettings(tx); // pg-boss has settings of its own
  await makePartitions(tx, manifest);
  const known = await mustHaveTables(tx, manifest);
  const restoreRules = await suspendRules(tx);
  await driverTransactionOf(tx).unsafe(`TRUNCATE ${[...known.keys()].join(", ")}`);
  const rows = createTableWriter(tx, known);
  for await (const item of readArchive(archive)) {
    if (item.kind === "rows") await rows.write(item.table, item.bytes);
    else if (item.kind === "file") await place().put(item.name, item.bytes, "image/webp");
    else if (item.kind === "manifest" && item.digest !== digest) {
      throw new NoRestore("the archive was written anew while it was read");
    }
  }
  await rows.close();
  await setSequences(tx, manifest);
  await restoreRules();
}

/** A table that is parted by time has partitions for the rows that come, not all of them in the first. */
async function makePartitions(tx: Tx, { spans }: Manifest): Promise<void> {
  for (const { name, from, to } of spans) {
    await driverTransactionOf(
      tx,
    )`SELECT base.make_partitions(${name}::regclass, ${from}::text::timestamptz, ${to}::text::timestamptz)`;
  }
}

/** The tables and columns of an archive are those its migration made: anything else is no archive of ours. */
async function mustHaveTables(tx: Tx, manifest: Manifest): Promise<Map<string, Table>> {
  const known = new Map((await listTables(tx)).map((table) => [table.name, table]));
  const same = (name: string, columns: string[]) => known.get(name)?.columns.join() === columns.join();
  const other = manifest.tables.find(({ name, columns }) => !same(name, columns));
  if (other !== undefined || manifest.tables.length !== known.size) {
    throw new NoRestore(
      `its tables are not those of ${manifest.header.migration.tag} (${other?.name ?? "some are missing"})`,
    );
  }
  return known;
}

/** Writes pieces of tables as they come, each table by one COPY. */
function createTableWriter(tx: Tx, known: Map<string, Table>) {
  let open: { name: string; stream: Writable } | undefined;
  const close = async () => {
    const closing = open?.stream;
    open = undefined;
    if (closing === undefined) return;
    closing.end();
    await finished(closing);
  };
  return {
    async write(name: string, bytes: Uint8Array): Promise<void> {
      if (open?.name !== name) {
        await close();
        const columns = known.get(name)?.columns.join(", ");
        const query = driverTransactionOf(tx).unsafe(`COPY ${name} (${columns}) FROM STDIN`);
        open = { name, stream: await query.writable() };
        open.stream.on("error", () => {}); // told by whoever writes or closes next, and until then no end of the process
      }
      if (!open.stream.write(bytes)) await waitForDrain(open.stream);
    },
    close,
  };
}

/** Waits until more can be written. A stream that failed never drains: then its error is told. */
async function waitForDrain(stream: Writable): Promise<void> {
  if (stream.errored) throw stream.errored;
  await once(stream, "drain");
}

async function setSequences(tx: Tx, { sequences }: Manifest): Promise<void> {
  for (const { name, last, called, numbers } of sequences) {
    const next = numbers ? BigInt(last) + BigInt(NUMBERS_AHEAD) : BigInt(last);
    await driverTransactionOf(tx)`SELECT setval(${name}::regclass, ${next.toString()}::bigint, ${called})`;
  }
}

async function assertTablesMatch(tx: Tx, manifest: Manifest): Promise<void> {
  const there = new Map((await listTables(tx)).map((table) => [table.name, table]));
  for (const { name, rows, sum } of manifest.tables) {
    const table = there.get(name);
    const found = table && (await contentOf(tx, table));
    if (found?.rows !== rows || found.sum !== sum) {
      throw new NoRestore(
        `the table ${name} has ${found?.rows ?? 0} rows after loading, ${rows} were saved, or they differ`,
      );
    }
  }
}
