import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the handwritten SQL migrations; their journal gives the order. */
export const migrationsFolder = join(import.meta.dir, "../migrations");

/** A migration: the name of its file without `.sql`, and its moment in ms, by which a database records it. */
export type Migration = { tag: string; when: number };

/** Reads the journal of a folder of migrations, oldest first. */
export function readJournal(folder: string = migrationsFolder): Migration[] {
  const text = readFileSync(join(folder, "meta/_journal.json"), "utf8");
  return (JSON.parse(text) as { entries: Migration[] }).entries.map(({ tag, when }) => ({ tag, when }));
}
