/**
 * Fills an empty database from an archive of `bun run backup`: `bun run restore <archive>`. It verifies the archive, restores it in one
 * transaction, verifies the ledger and the log against it, halts outgoing money, and repeats the erasures made since the backup. Exits with
 * 0 if everything is as it was saved, with 2 if an erasure could not be repeated or a file of `--erasures` has none, and with 1 otherwise,
 * leaving the database empty. A crash between the steps leaves a mark in the database, and the server refuses to start on it.
 */
import "./console/console-settings.ts";

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { config } from "#config";
import { loadArchive, NoRestore } from "#db/backup/load-archive";
import type { Manifest } from "#db/backup/manifest";
import { proveArchive } from "#db/backup/read-archive";
import { markFinished } from "#db/backup/unfinished-restore";
import { currentTime } from "#db/clock";
import { keyPlace, keysAtHand } from "#db/secrets/encryption-key-check";
import { openDatabase } from "#db/startup/open-database";
import { sealBlocks } from "#modules/audit";
import { contentLines, formatPace, unpackedBytes } from "./backup/archive-summary.ts";
import { replayAfterRestore } from "./backup/erasures.ts";
import { restoreSinks } from "./backup/module-hooks.ts";

const restoreUsage = `usage: bun run restore <archive> [--identity <file>] [--erasures <file>]…
                                           fills an empty database; see bun run backup. --erasures names another journal of
                                           erasures, or a log with them, besides those of DATA_DIR and of the archive`;

/** The archive lacks what has happened since the backup. */
const afterRestoreLines = [
  "Outgoing money is HALTED: the ledger lacks what was sent since the backup. Compare the payouts with the bank statement and the",
  "payments with QPay (/admin/reconciliation), then resume on /admin/money or with bun run admin resume.",
  "Everybody is signed out. Passwords and administrators are as they were at the backup.",
  "Mail that was waiting at the time of the backup is sent again.",
];

async function runRestore(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      identity: { type: "string" },
      erasures: { type: "string", multiple: true },
    },
  });
  const [path] = positionals;
  if (values.help || path === undefined || positionals.length > 1) {
    console[values.help ? "log" : "error"](restoreUsage);
    return values.help ? 0 : 1;
  }
  const missing = (values.erasures ?? []).find((file) => !existsSync(file));
  if (missing !== undefined) throw new NoRestore(`there is no ${missing}`);
  const began = performance.now();
  const archive = { path, identityFile: values.identity };
  const proved = await proveArchive(archive);
  for (const line of contentLines(proved.manifest)) console.log(line);
  console.log(
    `The archive is intact (${formatPace(unpackedBytes(proved.manifest), began)}); digest ${proved.digest}`,
  );
  assertKeyAtHand(proved.manifest);
  const from = performance.now();
  const database = await openDatabase({ exclusive: true, migrated: false });
  let replayed: Awaited<ReturnType<typeof replayAfterRestore>>;
  try {
    await loadArchive(archive, proved, restoreSinks);
    replayed = await finishRestore(path, values.erasures ?? []).catch(describeUnfinished);
  } finally {
    await database.stop();
  }
  const { tables, head } = proved.manifest;
  console.log(`Restored in ${formatPace(unpackedBytes(proved.manifest), from)}.`);
  console.log(`Rows: all ${tables.length} tables match what was saved.`);
  console.log("Ledger: it balances, and its sums match the archive.");
  console.log(
    `Log: intact, with the head of the archive${head === null ? "" : `, ${head.block}:${head.head}`}.`,
  );
  for (const line of [...replayed.lines, ...afterRestoreLines]) console.log(line);
  return replayed.isComplete ? 0 : 2;
}

/** Repeats the erasures, then removes the mark of `loadArchive`, without which the server refuses to start. */
async function finishRestore(path: string, erasures: readonly string[]) {
  const replayed = await replayAfterRestore(path, erasures);
  await sealBlocks(currentTime());
  await markFinished();
  return replayed;
}

/** The database is already filled at this point, so a failure is reported instead of thrown; the mark stays. */
function describeUnfinished(error: Error) {
  const words = `NOT all erasures could be repeated (${error.message}): Midman does not start on this database. Empty it and restore again.`;
  return { lines: [words], isComplete: false };
}

/**
 * Throws if the archive's key is missing. Called before anything is written and before a key is generated in a DATA_DIR without one: that
 * would be a wrong key.
 */
function assertKeyAtHand({ header }: Manifest): void {
  const { there, place } = keyPlace();
  if (!there) {
    throw new NoRestore(
      `the key that opens its sealed values is missing: set ENCRYPTION_KEY, or bring ${place} from where the backup was made`,
    );
  }
  const atHand = keysAtHand();
  const [today, ...before] = header.keys;
  if (today === undefined || !atHand.includes(today)) {
    throw new NoRestore(`the available key (${place}) is not the one that sealed it: bring the right one`);
  }
  if (before.some((key) => !atHand.includes(key))) {
    console.log(
      "Some keys that ENCRYPTION_KEYS_BEFORE had then are missing: vault records that they sealed cannot be opened.",
    );
  }
}

const emptyDatabaseHint = () =>
  `A restore needs an empty database, and empties none itself: ${config().DATABASE_URL === undefined ? "use another DATA_DIR, or rename the folder postgres-18 in this one" : "set DATABASE_URL to an empty database"}.`;

try {
  process.exit(await runRestore());
} catch (error) {
  const { message } = error as Error;
  console.error(`Nothing was restored: ${message.replace(/\.$/, "")}.`);
  if (/not empty/.test(message)) console.error(emptyDatabaseHint());
  process.exit(1);
}
