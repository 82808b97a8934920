import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { and, isNotNull, sql } from "drizzle-orm";
import { afterCommit, db, type Tx, takesHints } from "#db/client";
import { dataPath } from "#db/data";
import { unfilteredLog } from "#db/log";
import { users } from "../schema.ts";

/**
 * An erased account, as recorded outside the database: restoring a backup older than the erasure brings the person back, and nothing in that
 * backup can say so. Holds no personal data: the account's id, when it was registered and when it was erased.
 */
export type Erasure = { erased: number; registeredAt: string; at: string };

/** File name of the journal, in DATA_DIR and in a folder of archives. */
export const ERASURE_JOURNAL = "erasures.jsonl";

/** Records an erasure after its transaction commits, in the journal of DATA_DIR and in the program's log, which operators collect elsewhere. */
export function journalErasure(tx: Tx, user: { id: number; createdAt: Date }, at: Date): void {
  const line = { erased: user.id, registeredAt: user.createdAt.toISOString(), at: at.toISOString() };
  const write = () => {
    unfilteredLog().info(line, "an account was erased");
    append([line]);
  };
  if (takesHints(tx)) afterCommit(tx, write);
}

/** Adds erasures missing from the journal of DATA_DIR: those of other instances, of older versions, and any that a crash cut off. */
export async function completeErasureJournal(): Promise<void> {
  const rows = await db()
    .select({ id: users.id, createdAt: users.createdAt, at: users.deletedAt })
    .from(users)
    .where(and(isNotNull(users.deletedAt), sql`${users.deletedAt} > now() - interval '400 days'`));
  const known = new Set(readErasures(dataPath(ERASURE_JOURNAL)).map(keyOf));
  const lines = rows.map(({ id, createdAt, at }) => ({
    ...{ erased: id, registeredAt: createdAt.toISOString(), at: (at ?? createdAt).toISOString() },
  }));
  append(lines.filter((line) => !known.has(keyOf(line))));
}

/** Identifies an account across databases: a new database reuses ids, but not with the same time of registration. */
const keyOf = ({ erased, registeredAt }: Erasure) => `${erased} ${registeredAt}`;

/** The erasures in a file, each once: a journal, or a program's log that has them among other lines. */
export function readErasures(path: string): Erasure[] {
  if (!existsSync(path)) return [];
  const found = readFileSync(path, "utf8").split("\n").flatMap(erasureOf);
  return [...new Map(found.map((line) => [keyOf(line), line])).values()];
}

function erasureOf(line: string): Erasure[] {
  const from = line.indexOf("{"); // journald and others write a prefix
  if (from < 0 || !line.includes('"erased"')) return [];
  try {
    const { erased, registeredAt, at } = JSON.parse(line.slice(from)) as Partial<Erasure>;
    const isComplete =
      Number.isSafeInteger(erased) && [registeredAt, at].every((one) => !Number.isNaN(Date.parse(one ?? "")));
    return isComplete ? [{ erased, registeredAt, at } as Erasure] : [];
  } catch {
    return []; // cut off by a crash; `completeErasureJournal` has written it again
  }
}

function append(lines: readonly Erasure[]): void {
  if (lines.length === 0) return;
  const file = openSync(dataPath(ERASURE_JOURNAL), "a", 0o600);
  try {
    // The leading newline ends a line that a crash cut off.
    writeSync(file, lines.map((line) => `\n${JSON.stringify(line)}`).join(""));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
