import { asc, eq } from "drizzle-orm";
import { db } from "#db/client";
import type { PersonalData } from "../core/responses.ts";
import { restrictionsTable } from "./schema.ts";

/** Every restriction a person ever had, in order of placement, without the administrators' notes. */
export async function ownRestrictions(userId: number): Promise<PersonalData["restrictions"]> {
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
