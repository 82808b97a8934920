import { keptLog } from "#db/log";
import type { Kept } from "./stored.ts";

/**
 * Writes a block that was just sealed into the program's log, for a SIEM: one line each entry (`audit`), then one of the block with its head
 * (`audit block`). Blocks are numbered without a gap: a number that is missing was lost on the way, and is in the database.
 */
export function streamBlock(sealed: {
  block: number;
  head: string;
  entries: ReadonlyArray<Kept["sealed"]>;
}): void {
  const { block, head, entries } = sealed;
  for (const { id, at, userId, action, roomId, subjectKind, subjectId, data } of entries) {
    const entry = {
      block,
      id,
      at,
      userId,
      action,
      roomId,
      subjectKind,
      subjectId,
      data: JSON.parse(data ?? "{}"),
    };
    keptLog().info({ audit: entry }, "audit");
  }
  keptLog().info({ block, head, entries: entries.length }, "audit block");
}
