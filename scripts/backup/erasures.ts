import { copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { now } from "#db/clock";
import { dataPath } from "#db/data";
import { registerEscrow } from "#modules/escrow";
import { ERASURE_JOURNAL, readErasures, replayErasures } from "#modules/identity";

/** Copies the journal of erasures into the archive's folder, so that a copy of the folder includes it. */
export function copyErasures(archive: string): void {
  const journal = dataPath(ERASURE_JOURNAL);
  if (existsSync(journal)) copyFileSync(journal, join(dirname(archive), ERASURE_JOURNAL));
}

/**
 * Erases again the people that a restored archive has brought back, using the journal of DATA_DIR, the one in the archive's folder and the files
 * of `given`. Returns lines for the operator, and whether everybody could be erased.
 */
export async function replayAfterRestore(
  archive: string,
  given: readonly string[],
): Promise<{ lines: string[]; isComplete: boolean }> {
  const places = [dataPath(ERASURE_JOURNAL), join(dirname(archive), ERASURE_JOURNAL), ...given];
  const journals = places.filter((path) => existsSync(path));
  const withdraw = registerEscrow(); // its guard decides, and it erases what it holds about a person
  try {
    const { done, refused } = await replayErasures(journals.flatMap(readErasures), now());
    const from = journals.length === 0 ? "no journal is there" : journals.join(", ");
    return {
      lines: [
        `Erasures: ${done} people whose accounts were erased since the backup are erased again (${from}).`,
        ...refused.map(
          ({ userId, code }) =>
            `NOT erased again: user ${userId} (${code}). Erase them on /admin/users/${userId} once that is no longer so, such as after their trades have ended.`,
        ),
      ],
      isComplete: refused.length === 0,
    };
  } finally {
    withdraw();
  }
}
