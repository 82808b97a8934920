/**
 * Saves all that Midman keeps into one archive: `bun run backup [<file or folder>]`, beside a running instance or alone; without a name it
 * goes to DATA_DIR/backups. `bun run backup --verify <archive>` proves an archive without a database. Ends with 0 when the archive is
 * whole, with 2 when it is and something in Midman itself was not (books that do not prove themselves, a lost picture, a lost key), with 1 when
 * there is none.
 */
import "./console.ts";

import { mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { proveArchive } from "#db/backup/read";
import { save } from "#db/backup/save";
import { transaction } from "#db/client";
import { now } from "#db/clock";
import { dataPath } from "#db/data";
import { keyPlace } from "#db/keys";
import { record } from "#modules/audit";
import { vaultsNotUnderToday } from "#modules/escrow";
import { sources } from "./backup/sources.ts";
import { contentLines, megabytes, pace, unpacked } from "./backup/words.ts";
import { openForCommand } from "./open.ts";

const usage = `usage: bun run backup [<file or folder>]     saves everything into one archive
       bun run backup --verify <archive>   proves an archive; needs no database`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { verify: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [place] = positionals;
  if (positionals.length > 1 || (values.verify && place === undefined)) throw new Usage(usage);
  return values.verify ? verify(place ?? "") : backup(place);
}

/** Asked for wrongly, and an archive that does not prove itself: neither is a backup that failed. */
class Usage extends Error {}
class BadProof extends Error {}

async function verify(archive: string): Promise<number> {
  const began = performance.now();
  const { manifest, digest } = await proveArchive(archive).catch((error: Error) => {
    throw new BadProof(`The archive does not prove itself: ${error.message}`);
  });
  for (const line of contentLines(manifest)) console.log(line);
  console.log(`The archive is whole (${pace(unpacked(manifest), began)}); digest ${digest}`);
  return 0;
}

async function backup(place: string | undefined): Promise<number> {
  const database = await openForCommand({ migrated: false });
  try {
    const at = now();
    const path = pathFor(place, at);
    const began = performance.now();
    const { manifest, digest, bytes, lost } = await save(path, sources, at);
    const seconds = pace(unpacked(manifest), began);
    await transaction((tx) =>
      record(tx, {
        by: { userId: null },
        action: "backup_made",
        at: now(),
        data: { digest, takenAt: manifest.header.takenAt, block: manifest.head?.block ?? 0, bytes },
      }),
    );
    for (const line of contentLines(manifest)) console.log(line);
    console.log(`${path}: ${megabytes(bytes)} in ${seconds}; digest ${digest}`);
    const { older, shut } = await vaultsNotUnderToday();
    tellKeys(older);
    return tellFaults({ whole: manifest.ledger.whole, lost, shut });
  } finally {
    await database.stop();
  }
}

/** A folder gets a name of the moment; without either the archive lies beside the data, which is no safe place for long. */
function pathFor(place: string | undefined, at: Date): string {
  const name = `midman-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.tar.zst`;
  if (place !== undefined) {
    const folder = statSync(place, { throwIfNoEntry: false })?.isDirectory();
    return folder ? join(resolve(place), name) : resolve(place);
  }
  const path = dataPath(`backups/${name}`);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  console.log("No place was named: the archive goes to DATA_DIR, and is lost with it. Copy it elsewhere.");
  return path;
}

/** The archive without its key keeps some things shut for ever; with the key in it, it would be a key to everything. */
function tellKeys(older: number): void {
  const before =
    older > 0 ? ` and ENCRYPTION_KEYS_BEFORE (${older} sealed hand-overs open by those alone)` : "";
  console.log(
    `Keep ${keyPlace().place}${before} too, apart from the archive: it is not in it, and second factors, sealed hand-overs and signing keys never open without it.`,
  );
  console.log(
    "The archive names people, accounts and conversations in the clear: keep it as you keep the database.",
  );
}

function tellFaults({ whole, lost, shut }: { whole: boolean; lost: string[]; shut: number[] }): number {
  if (!whole)
    console.error(
      "The ledger does not prove itself: see bun run ledger:verify. The archive holds it as it is.",
    );
  if (lost.length > 0) {
    console.error(
      `${lost.length} files that pictures name are not there, such as ${lost.slice(0, 3).join(", ")}.`,
    );
  }
  if (shut.length > 0)
    console.error(`${shut.length} sealed hand-overs open by no key at hand: see bun run keys:renew.`);
  return whole && lost.length === 0 && shut.length === 0 ? 0 : 2;
}

// Ends in order, so that nothing half written stays.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

try {
  process.exit(await main());
} catch (error) {
  const { message } = error as Error;
  const asked = error instanceof Usage || error instanceof BadProof;
  console.error(asked ? message : `There is no backup: ${message}`);
  process.exit(1);
}
