import { and, eq, inArray, lt } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type By, record } from "./record.ts";
import { entries, traces } from "./schema.ts";

/**
 * Erases addresses and devices for good: those of one person, those older than a moment, or those both hold for.
 * The entries stay and the chain stays whole. The erasing is itself an entry.
 */
export async function scrubTraces(
  tx: Tx,
  which: { by: By; at: Date } & ({ olderThan: Date; userId?: number } | { olderThan?: Date; userId: number }),
): Promise<{ scrubbed: number }> {
  const { userId, olderThan } = which;
  const ofUser = tx
    .select({ id: entries.id })
    .from(entries)
    .where(eq(entries.userId, userId ?? 0));
  const gone = await tx
    .delete(traces)
    .where(
      and(
        userId === undefined ? undefined : inArray(traces.entryId, ofUser),
        olderThan && lt(traces.at, olderThan),
      ),
    )
    .returning({ id: traces.entryId });
  if (gone.length > 0) {
    await record(tx, {
      by: which.by,
      action: "traces_scrubbed",
      at: which.at,
      data: { count: gone.length, ...(userId !== undefined && { userId }), ...(olderThan && { olderThan }) },
    });
  }
  return { scrubbed: gone.length };
}
