import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { and, isNotNull, sql } from "drizzle-orm";
import { afterCommit, db, type Tx, takesHints } from "#db/client";
import { dataPath } from "#db/data";
import { keptLog } from "#db/log";
import { users } from "../schema.ts";

/**
 * Which accounts were erased, outside the database: a backup that is older than an erasure brings the person back, and only what is not in
 * the backup can say so. It names nobody: an account's number, when it was made and when it was erased.
 */
export type Erasure = { erased: number; registeredAt: string; at: string };

/** The journal's name in DATA_DIR, and beside the archives of a folder. */
export const ERASURES = "erasures.jsonl";

/** Keeps an erasure once the transaction that erases is committed: in DATA_DIR and, for whoever keeps that elsewhere, in the program's log. */
export function keepErasure(tx: Tx, user: { id: number; createdAt: Date }, at: Date): void {
  const line = { erased: user.id, registeredAt: user.createdAt.toISOString(), at: at.toISOString() };
  const keep = () => {
    keptLog().info(line, "an account was erased");
    append([line]);
  };
  if (takesHints(tx)) afterCommit(tx, keep);
}

/** Adds what the journal of DATA_DIR lacks: erasures by other instances, of a version before, and whatever a crash cut off. */
export async function completeErasures(): Promise<void> {
  const rows = await db()
    .select({ id: users.id, createdAt: users.createdAt, at: users.deletedAt })
    .from(users)
    .where(and(isNotNull(users.deletedAt), sql`${users.deletedAt} > now() - interval '400 days'`));
  const known = new Set(erasuresIn(dataPath(ERASURES)).map(keyOf));
  const lines = rows.map(({ id, createdAt, at }) => ({
    ...{ erased: id, registeredAt: createdAt.toISOString(), at: (at ?? createdAt).toISOString() },
  }));
  append(lines.filter((line) => !known.has(keyOf(line))));
}

/** By what an erasure is known: a database that was begun anew gives numbers again, but not at the same moment. */
const keyOf = ({ erased, registeredAt }: Erasure) => `${erased} ${registeredAt}`;

/** The erasures that a file tells of, each once: the journal's lines, or the program's log in which they stand among others. */
export function erasuresIn(path: string): Erasure[] {
  if (!existsSync(path)) return [];
  const found = readFileSync(path, "utf8").split("\n").flatMap(erasureOf);
  return [...new Map(found.map((line) => [keyOf(line), line])).values()];
}

function erasureOf(line: string): Erasure[] {
  const from = line.indexOf("{"); // journald and others write something before it
  if (from < 0 || !line.includes('"erased"')) return [];
  try {
    const { erased, registeredAt, at } = JSON.parse(line.slice(from)) as Partial<Erasure>;
    const whole =
      Number.isSafeInteger(erased) && [registeredAt, at].every((one) => !Number.isNaN(Date.parse(one ?? "")));
    return whole ? [{ erased, registeredAt, at } as Erasure] : [];
  } catch {
    return []; // cut off by a crash; `completeErasures` has written it again
  }
}

function append(lines: readonly Erasure[]): void {
  if (lines.length === 0) return;
  const file = openSync(dataPath(ERASURES), "a", 0o600);
  try {
    // What a crash cut off ends with its own line.
    writeSync(file, lines.map((line) => `\n${JSON.stringify(line)}`).join(""));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
