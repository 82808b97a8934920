import { and, eq, isNull } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { eraseUserAsOperator } from "../account/delete-user.ts";
import { usersTable } from "../core/schema.ts";
import type { Erasure } from "./parse-erasures.ts";

/** The result of replaying erasures: how many were done, and which users could not be erased, with the code of the refusal. */
export type ReplayedErasures = { done: number; refused: Array<{ userId: number; code: string }> };

/**
 * Erases again the people whom a restored database has brought back. Skips accounts that are erased there already or do not exist there. A
 * user who cannot be erased (their trades are open in the backup, or they are the last administrator) is returned in `refused`, for the
 * operator to erase later.
 */
export async function replayErasures(erasures: readonly Erasure[], at: Date): Promise<ReplayedErasures> {
  const replayed: ReplayedErasures = { done: 0, refused: [] };
  for (const { erased, registeredAt } of erasures) {
    const [user] = await db()
      .select({ createdAt: usersTable.createdAt })
      .from(usersTable)
      .where(and(eq(usersTable.id, erased), isNull(usersTable.deletedAt)));
    if (user?.createdAt.toISOString() !== registeredAt) continue;
    const done = await runInTransaction((tx) => eraseUserAsOperator(tx, erased, at));
    if (done.ok) replayed.done += 1;
    else replayed.refused.push({ userId: erased, code: done.code });
  }
  return replayed;
}
