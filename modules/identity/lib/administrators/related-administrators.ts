import { gt } from "drizzle-orm";
import type { Executor } from "#db/client";
import { adminGrantsTable } from "../core/schema.ts";

const relationPeriodMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Ids of the administrators who count as the same reviewer as this one under the four-eyes rule: this one, and everyone linked to them
 * through administrator grants of the last seven days, in either direction and over any number of steps. Revoked and repeated grants count
 * too. An administrator who promotes accounts of their own therefore gains no second reviewer.
 */
export async function relatedAdministratorIds(exec: Executor, userId: number, at: Date): Promise<number[]> {
  const since = new Date(at.getTime() - relationPeriodMs);
  const ties = await exec
    .select({ made: adminGrantsTable.made, by: adminGrantsTable.by })
    .from(adminGrantsTable)
    .where(gt(adminGrantsTable.at, since));
  const related = new Set([userId]);
  for (let before = 0; before < related.size; ) {
    before = related.size;
    for (const { made, by } of ties) {
      if (!related.has(made) && !related.has(by)) continue;
      related.add(made).add(by);
    }
  }
  return [...related];
}
