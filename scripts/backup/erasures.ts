import { copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { now } from "#db/clock";
import { dataPath } from "#db/data";
import { registerEscrow } from "#modules/escrow";
import { ERASURES, erasuresIn, replayErasures } from "#modules/identity";

/** Puts the journal of erasures beside an archive of a folder, where whoever copies the folder takes it along. */
export function copyErasures(archive: string): void {
  const journal = dataPath(ERASURES);
  if (existsSync(journal)) copyFileSync(journal, join(dirname(archive), ERASURES));
}

/**
 * Erases again whom a restored archive has brought back: by the journal of DATA_DIR, the one beside the archive and what `given` names. Answers
 * what to tell the operator, and whether all of them could be.
 */
export async function replayAfterRestore(
  archive: string,
  given: readonly string[],
): Promise<{ lines: string[]; whole: boolean }> {
  const places = [dataPath(ERASURES), join(dirname(archive), ERASURES), ...given];
  const journals = places.filter((path) => existsSync(path));
  const withdraw = registerEscrow(); // what it keeps of a person goes too
  try {
    const { done, kept } = await replayErasures(journals.flatMap(erasuresIn), now());
    const from = journals.length === 0 ? "no journal is there" : journals.join(", ");
    return {
      lines: [
        `Erasures: ${done} people whose accounts were erased since the backup are erased again (${from}).`,
        ...kept.map(
          ({ userId, code }) =>
            `NOT erased again: user ${userId} (${code}), whose trades are under way in this backup. Erase them on /admin/users/${userId} once those are over.`,
        ),
      ],
      whole: kept.length === 0,
    };
  } finally {
    withdraw();
  }
}
