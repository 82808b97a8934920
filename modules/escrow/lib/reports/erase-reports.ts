import { asc, eq, lt } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { reportsTable } from "./schema.ts";

/** The reports that a person filed, for the export of their own data; reports about them belong to those who filed them. */
export function reportsBy(exec: Executor, userId: number) {
  const { number, about, happened, words, createdAt, resolvedAt } = reportsTable;
  return exec
    .select({ number, about, happened, words, createdAt, resolvedAt })
    .from(reportsTable)
    .where(eq(reportsTable.reporterId, userId))
    .orderBy(asc(reportsTable.id));
}

/** Erases the reports that were filed before `before`, when their retention has ended. */
export async function eraseReports(before: Date): Promise<void> {
  await db().delete(reportsTable).where(lt(reportsTable.createdAt, before));
}
