import { unfilteredLog } from "#db/log";
import type { Kept } from "./stored.ts";

/**
 * Writes a newly sealed block to the program's log, for a SIEM: one `audit` line per entry, then one `audit block` line with the block's head.
 * Block numbers have no gaps, so a missing number was lost on the way and can be read from the database.
 */
export function streamBlock(sealed: {
  block: number;
  head: string;
  entries: ReadonlyArray<Kept["sealed"]>;
}): void {
  const { block, head, entries } = sealed;
  for (const { id, at, userId, action, roomId, subjectKind, subjectId, data: json } of entries) {
    const data = JSON.parse(json ?? "{}");
    const entry = { block, id, at, userId, action, roomId, subjectKind, subjectId, data };
    unfilteredLog().info({ audit: entry }, "audit");
  }
  unfilteredLog().info({ block, head, entries: entries.length }, "audit block");
}
