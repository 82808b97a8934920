import { asc, eq } from "drizzle-orm";
import { db } from "#db/client";
import { type RestrictionRow, restrictionsTable } from "./schema.ts";

/** A restriction as its person has it in their data: without what administrators say to one another. */
export type OwnRestriction = Pick<RestrictionRow, "kind" | "cause" | "endedAt"> & {
  placedAt: Date;
  /** Null for good. */
  until: Date | null;
};

/** Every restriction that there was of a person, the first one first. */
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
