import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "../entries/record-entry.ts";

/**
 * Erases addresses and devices permanently: those of one user, those older than a time, or those that meet both conditions. The entries
 * stay and the chain stays intact. The scrubbing is recorded as an entry.
 */
export async function scrubTraces(
  tx: Tx,
  which: { by: AuditActor; at: Date } & (
    | { olderThan: Date; userId?: number }
    | { olderThan?: Date; userId: number }
  ),
): Promise<{ scrubbed: number }> {
  const { userId, olderThan } = which;
  const before = olderThan?.toISOString() ?? null;
  const [gone] = await tx.execute<{ scrubbed: string }>(
    sql`SELECT audit.scrub_traces(${userId ?? null}::bigint, ${before}::timestamptz) AS scrubbed`,
  );
  const scrubbed = Number(gone?.scrubbed ?? 0);
  if (scrubbed > 0) {
    await recordAuditEntry(tx, {
      by: which.by,
      action: "traces_scrubbed",
      at: which.at,
      data: { count: scrubbed, ...(userId !== undefined && { userId }), ...(olderThan && { olderThan }) },
    });
  }
  return { scrubbed };
}
