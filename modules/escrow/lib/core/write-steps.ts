import type { Tx } from "#db/client";
import type { StepKey, Steps } from "../machine/trade-types.ts";
import { stepsTable } from "./schema.ts";

/** Inserts the steps that `after` has and `before` does not; the table's primary key refuses a second stamp. */
export async function writeSteps(tx: Tx, tradeId: number, before: Steps, after: Steps): Promise<void> {
  const fresh = Object.entries(after).filter(([step]) => before[step as StepKey] === undefined);
  if (fresh.length === 0) return;
  await tx
    .insert(stepsTable)
    .values(fresh.map(([step, completedAt]) => ({ tradeId, step: step as StepKey, completedAt })));
}
