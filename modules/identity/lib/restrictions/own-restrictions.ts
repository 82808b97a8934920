import { asc, eq } from "drizzle-orm";
import { db } from "#db/client";
import { type RestrictionRow, restrictionsTable } from "./schema.ts";

/** A restriction as the person sees it in their data: without the administrators' notes. */
export type OwnRestriction = Pick<RestrictionRow, "kind" | "cause" | "endedAt"> & {
  placedAt: Date;
  /** Null if permanent. */
  until: Date | null;
};

/** Every restriction a person ever had, in order of placement. */
export async function ownRestrictions(userId: number): Promise<OwnRestriction[]> {
  const rows = await db()
    .select()
    .from(restrictionsTable)
    .where(eq(restrictionsTable.userId, userId))
    .orderBy(asc(restrictionsTable.id));
  return rows.map(({ kind, cause, placedAt, until, confirmedAt, endedAt }) => ({
    ...{ kind, cause, placedAt, endedAt },
    until: confirmedAt === null ? until : null,
  }));
}
