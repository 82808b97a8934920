import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { currentTime } from "#db/clock";
import { dataPath } from "#db/files/data-directory";
import { registerEscrow } from "#modules/escrow";
import {
  addToErasureJournal,
  ERASURE_JOURNAL,
  type Erasure,
  erasedAccounts,
  mergeErasures,
  readErasures,
  replayErasures,
  writeErasureJournal,
} from "#modules/identity";

/**
 * Writes the journal of erasures into the archive's folder, so that a copy of the folder includes it: the erasures of the database, of the journal
 * of DATA_DIR, and of the journal already in the folder. Completes the journal of DATA_DIR too. Returns failures as lines for the operator; the
 * archive is complete regardless.
 */
export async function copyErasures(archive: string): Promise<string[]> {
  const own = resolve(dataPath(ERASURE_JOURNAL));
  const beside = resolve(dirname(archive), ERASURE_JOURNAL);
  const failures: string[] = [];
  const attempt = async (path: string, work: () => void | Promise<void>) => {
    try {
      await work();
    } catch (error) {
      failures.push(
        `The archive is complete, but the journal of erasures ${path} could not be completed (${(error as Error).message}): a restore could bring erased people back.`,
      );
    }
  };
  let erased: Erasure[] = [];
  await attempt(own, async () => {
    erased = await erasedAccounts();
    addToErasureJournal(erased);
  });
  if (beside === own) return failures;
  await attempt(beside, () => {
    const all = mergeErasures(readErasures(beside), readErasures(own), erased);
    if (all.length > 0) writeErasureJournal(beside, all);
  });
  return failures;
}

/**
 * Erases again the people that a restored archive has brought back, using the journal of DATA_DIR, the one in the archive's folder and the files
 * of `given`. Adds all of these erasures to the journal of DATA_DIR, so that later backups know the people who could not be erased. Returns lines
 * for the operator, and whether everybody could be erased and every file of `given` had erasures.
 */
export async function replayAfterRestore(
  archive: string,
  given: readonly string[],
): Promise<{ lines: string[]; isComplete: boolean }> {
  const journals = [dataPath(ERASURE_JOURNAL), join(dirname(archive), ERASURE_JOURNAL)].filter((path) =>
    existsSync(path),
  );
  const read = [...journals, ...given].map((path) => ({ path, found: readErasures(path) }));
  const erasures = mergeErasures(...read.map(({ found }) => found));
  addToErasureJournal(erasures);
  const empty = read.filter(({ path, found }) => given.includes(path) && found.length === 0);
  const withdraw = registerEscrow(); // its guard decides, and it erases what the module holds about a person
  try {
    const { done, refused } = await replayErasures(erasures, currentTime());
    const from = read.map(({ path, found }) => `${path}: ${found.length}`).join(", ");
    return {
      lines: [
        `Erasures: ${done} people whose accounts were erased since the backup are erased again (${from || "there is no journal"}).`,
        ...empty.map(
          ({ path }) =>
            `NO erasure was found in ${path}. If it should have some, empty the database and restore again with a file that has them.`,
        ),
        ...refused.map(
          ({ userId, code }) =>
            `NOT erased again: user ${userId} (${code}). Erase them on /admin/users/${userId} once that is possible, for example after their trades have ended.`,
        ),
      ],
      isComplete: refused.length + empty.length === 0,
    };
  } finally {
    withdraw();
  }
}
