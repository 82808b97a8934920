import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { and, isNotNull, sql } from "drizzle-orm";
import { acceptsAfterCommit, afterCommit, db, type Tx } from "#db/client";
import { dataPath } from "#db/files/data-directory";
import { unfilteredLog } from "#db/log";
import { usersTable } from "../core/schema.ts";
import { type Erasure, erasureKeyOf, mergeErasures, parseErasures } from "./parse-erasures.ts";

/** File name of the journal, in DATA_DIR and in a folder of archives. */
export const ERASURE_JOURNAL = "erasures.jsonl";

/**
 * Records an erasure after its transaction commits, in the journal of DATA_DIR and in the program's log, which operators collect elsewhere.
 */
export function journalErasure(tx: Tx, user: { id: number; createdAt: Date }, at: Date): void {
  const line = { erased: user.id, registeredAt: user.createdAt.toISOString(), at: at.toISOString() };
  const record = () => {
    logErasure(line);
    appendErasures([line]);
  };
  if (acceptsAfterCommit(tx)) afterCommit(tx, record);
}

/**
 * Adds erasures missing from the journal of DATA_DIR: those of other instances, of older versions, of a restore at the console, and any
 * that a crash or a full disk cut off. Writes them to the program's log as well, which may lack them for the same reasons.
 */
export async function completeErasureJournal(): Promise<void> {
  const missing = missingFromJournal(await erasedAccounts());
  for (const line of missing) logErasure(line);
  appendErasures(missing);
}

const logErasure = (line: Erasure) => unfilteredLog().info(line, "an account was erased");

/** The erasures of the last 400 days, from the database. */
export async function erasedAccounts(): Promise<Erasure[]> {
  const rows = await db()
    .select({ id: usersTable.id, createdAt: usersTable.createdAt, at: usersTable.deletedAt })
    .from(usersTable)
    .where(and(isNotNull(usersTable.deletedAt), sql`${usersTable.deletedAt} > now() - interval '400 days'`));
  return rows.map(({ id, createdAt, at }) => ({
    ...{ erased: id, registeredAt: createdAt.toISOString(), at: (at ?? createdAt).toISOString() },
  }));
}

/** Adds the erasures that the journal of DATA_DIR does not have yet. */
export function addToErasureJournal(erasures: readonly Erasure[]): void {
  appendErasures(missingFromJournal(erasures));
}

function missingFromJournal(erasures: readonly Erasure[]): Erasure[] {
  const known = new Set(readErasures(dataPath(ERASURE_JOURNAL)).map(erasureKeyOf));
  return mergeErasures(erasures).filter((one) => !known.has(erasureKeyOf(one)));
}

/** The erasures in a file, each once: a journal, or a program's log that has them among other lines, in any form `parseErasures` reads. */
export function readErasures(path: string): Erasure[] {
  if (!existsSync(path)) return [];
  return mergeErasures(readFileSync(path, "utf8").split("\n").flatMap(parseErasures));
}

/** Replaces a journal atomically: a crash or a full disk leaves the previous one. */
export function writeErasureJournal(path: string, erasures: readonly Erasure[]): void {
  const partial = `${path}.${process.pid}.part`;
  try {
    writeDurably(partial, "w", erasures.map((one) => `${JSON.stringify(one)}\n`).join(""));
    renameSync(partial, path);
    syncFolder(dirname(path));
  } finally {
    rmSync(partial, { force: true });
  }
}

function appendErasures(lines: readonly Erasure[]): void {
  if (lines.length === 0) return;
  // The leading newline ends a line that a crash cut off.
  writeDurably(dataPath(ERASURE_JOURNAL), "a", lines.map((line) => `\n${JSON.stringify(line)}`).join(""));
}

/** Writes all of the text and syncs it, or throws: on a full disk `writeSync` may write a part without an error. */
function writeDurably(path: string, flags: "a" | "w", text: string): void {
  const bytes = Buffer.from(text);
  const file = openSync(path, flags, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
