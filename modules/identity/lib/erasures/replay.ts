import { and, eq, isNull } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { eraseAtConsole } from "../delete-user.ts";
import { users } from "../schema.ts";
import type { Erasure } from "./journal.ts";

/** What came of erasures on a restored database: how many were done again, and whom a guard keeps, with its code. */
export type Replayed = { done: number; kept: Array<{ userId: number; code: string }> };

/**
 * Erases again whom a restored database has back. Who is erased there already, or never was there, counts for nothing. A guard of higher modules
 * refuses where money waits that had gone out by the time of the erasure: those are answered, for the operator to erase once it has.
 */
export async function replayErasures(erasures: readonly Erasure[], at: Date): Promise<Replayed> {
  const replayed: Replayed = { done: 0, kept: [] };
  for (const { erased, registeredAt } of erasures) {
    const [user] = await db()
      .select({ createdAt: users.createdAt })
      .from(users)
      .where(and(eq(users.id, erased), isNull(users.deletedAt)));
    if (user?.createdAt.toISOString() !== registeredAt) continue;
    const done = await transaction((tx) => eraseAtConsole(tx, erased, at));
    if (done.ok) replayed.done += 1;
    else replayed.kept.push({ userId: erased, code: done.code });
  }
  return replayed;
}
