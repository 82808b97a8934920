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
 * How far the numbers of new rows skip ahead of the archive's. Rows created after the backup may be named at the bank, in an email or in a
 * URL: no new row may get their numbers.
 */
const NUMBERS_AHEAD = 1_000_000;

/** A backup that cannot be restored here. The message tells the operator what to do. */
export class NoRestore extends Error {
  override name = "NoRestore";
}

/** What the modules contribute to the restoring transaction. */
export type Sinks = {
  /** Verifies the restored data against the manifest. Returns the differences; empty if there are none. */
  prove(tx: Tx, manifest: Manifest): Promise<string[]>;
  /** Establishes what must hold before the restored database serves anybody. */
  settle(tx: Tx, proved: ProvedArchive): Promise<void>;
};

/** The verified content of an archive (`proveArchive`). */
export type ProvedArchive = { manifest: Manifest; digest: string };

/** Throws NoRestore if this program cannot restore the archive, judged by its header. */
function mustBeReadable({ migration, boss }: Header, own: { boss: number }): void {
  if (!listMigrations().some(({ tag, when }) => tag === migration.tag && when === migration.when)) {
    throw new NoRestore(`a newer version of Midman made it (${migration.tag}): restore it with that version`);
  }
  if (boss !== own.boss) {
    throw new NoRestore(
      `its jobs have the schema of pg-boss ${boss}, and this version needs ${own.boss}: restore it with the version of Midman that made it, then upgrade`,
    );
  }
}

/**
 * Fills an empty database from an archive, in one transaction: the tables as the archive's migration left them, rows, sequences and files,
 * then newer migrations. Nothing is kept unless every table and proof matches the manifest. `#db/client` must be connected. A Midman that
 * starts meanwhile waits, and is refused until `markFinished` (`db/backup/unfinished-restore.ts`). Throws NoRestore or BadArchive; the
 * database is then empty as before, but files may have been stored.
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
    await applyTransactionSettings(tx); // newer migrations may have changed them
    const otherwise = await sinks.prove(tx, manifest);
    if (otherwise.length > 0)
      throw new NoRestore(`the restored rows differ from the saved ones: ${otherwise.join("; ")}`);
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
    else if (item.kind === "file")
      await place().put(item.name, item.bytes, item.name.endsWith(".pdf") ? "application/pdf" : "image/webp");
    else if (item.kind === "manifest" && item.digest !== digest) {
      throw new NoRestore("the archive changed while it was being read");
    }
  }
  await rows.close();
  await setSequences(tx, manifest);
  await restoreRules();
}

/** Creates the partitions for the archive's rows, which would otherwise all go into the first one. */
async function makePartitions(tx: Tx, { spans }: Manifest): Promise<void> {
  for (const { name, from, to } of spans) {
    await driverTransactionOf(
      tx,
    )`SELECT base.make_partitions(${name}::regclass, ${from}::text::timestamptz, ${to}::text::timestamptz)`;
  }
}

/** Throws NoRestore unless the archive's tables and columns are those that its migration creates. */
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

/** Writes chunks of tables as they arrive, each table with one COPY. */
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
        open.stream.on("error", () => {}); // the next write or close throws it; without a listener it would end the process now
      }
      if (!open.stream.write(bytes)) await waitForDrain(open.stream);
    },
    close,
  };
}

/** Waits until the stream accepts more. A failed stream never drains, so its error is thrown instead. */
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
        `the table ${name} has ${found?.rows ?? 0} rows after loading, but ${rows} were saved, or they differ`,
      );
    }
  }
}
