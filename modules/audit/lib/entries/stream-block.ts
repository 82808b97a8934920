import { unfilteredLog } from "#db/log";
import type { KeptEntry } from "./stored-entries.ts";

type InfoLog = { info(facts: object, words: string): void };

/**
 * Writes a newly sealed block to the program's log, for a SIEM: one `audit` line for each entry, then one `audit block` line with the
 * block's head. Block numbers have no gaps: a missing number was lost on the way and can be read from the database.
 */
export async function streamBlock(
  sealed: { block: number; head: string; entries: AsyncIterable<KeptEntry["sealed"]> },
  log: InfoLog = unfilteredLog(),
): Promise<void> {
  const { block, head } = sealed;
  let written = 0;
  for await (const { id, at, userId, action, roomId, subjectKind, subjectId, data: json } of sealed.entries) {
    const data = JSON.parse(json ?? "{}");
    const entry = { block, id, at, userId, action, roomId, subjectKind, subjectId, data };
    log.info({ audit: entry }, "audit");
    written += 1;
  }
  log.info({ block, head, entries: written }, "audit block");
}
