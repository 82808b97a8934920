import { asc, eq, lt } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { reportsTable } from "./schema.ts";

/** What a person reported, for their own data; what others reported of them is the others'. */
export function reportsBy(exec: Executor, userId: number) {
  const { number, about, happened, words, createdAt, resolvedAt } = reportsTable;
  return exec
    .select({ number, about, happened, words, createdAt, resolvedAt })
    .from(reportsTable)
    .where(eq(reportsTable.reporterId, userId))
    .orderBy(asc(reportsTable.id));
}

/** Erases reports that are older than they are kept. */
export async function eraseReports(before: Date): Promise<void> {
  await db().delete(reportsTable).where(lt(reportsTable.createdAt, before));
}
