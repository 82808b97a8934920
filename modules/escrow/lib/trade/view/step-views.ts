import { eq } from "drizzle-orm";
import type { z } from "zod";
import { db, type Executor } from "#db/client";
import type { Actor } from "#modules/identity";
import { findTradeForParty, type NoPartyAccess } from "../../core/party-access.ts";
import type { stepViewSchema } from "../../core/responses.ts";
import { stepsTable as table } from "../../core/schema.ts";
import { type Steps, stepKeys } from "../../machine/trade-types.ts";

export type StepView = z.output<typeof stepViewSchema>;

/** The five steps of a trade in their order, for its parties. Refuses TRANSACTION_NOT_FOUND to anyone else. */
export async function readTradeSteps(
  actor: Actor,
  tradeId: number,
): Promise<{ ok: true; steps: StepView[] } | NoPartyAccess> {
  const found = await findTradeForParty(db(), actor, tradeId);
  if (!found.ok) return found;
  return { ok: true, steps: await readSteps(db(), tradeId) };
}

async function readSteps(exec: Executor, tradeId: number): Promise<StepView[]> {
  const rows = await exec.select().from(table).where(eq(table.tradeId, tradeId));
  return stepViews(Object.fromEntries(rows.map(({ step, completedAt }) => [step, completedAt])));
}

/** The five steps in their order, with the times at which they were stamped. */
export function stepViews(stamped: Steps): StepView[] {
  return stepKeys.map((step) => ({ step, completedAt: stamped[step]?.toISOString() ?? null }));
}
