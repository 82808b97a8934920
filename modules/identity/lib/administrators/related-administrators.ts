import { gt } from "drizzle-orm";
import type { Executor } from "#db/client";
import { adminGrantsTable } from "../core/schema.ts";

const relationPeriodMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Whom this administrator is one pair of eyes with: themselves, and everybody tied to them by administrators being made within
 * the last seven days, by whichever of them and over however many steps. Every grant counts, also one taken back or given
 * anew since. One who makes accounts of their own administrators gains no second pair by it.
 */
export async function relatedAdministratorIds(exec: Executor, userId: number, at: Date): Promise<number[]> {
  const since = new Date(at.getTime() - relationPeriodMs);
  const ties = await exec
    .select({ made: adminGrantsTable.made, by: adminGrantsTable.by })
    .from(adminGrantsTable)
    .where(gt(adminGrantsTable.at, since));
  const hands = new Set([userId]);
  for (let before = 0; before < hands.size; ) {
    before = hands.size;
    for (const { made, by } of ties) {
      if (!hands.has(made) && !hands.has(by)) continue;
      hands.add(made).add(by);
    }
  }
  return [...hands];
}
