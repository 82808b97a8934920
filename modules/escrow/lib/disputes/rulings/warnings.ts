import type { Executor } from "#db/client";
import type { Trade } from "../../machine/trade-types.ts";
import { findDecidingCase, mediatorOf } from "../dispute-cases.ts";
import type { RulingWarning } from "./schema.ts";

/**
 * What whoever rules should know first: a side may still explain itself, or nobody has taken the case yet, so nobody has heard both.
 * Once both have spoken their time is closed, and there is nothing to warn of.
 */
export async function warningsOf(exec: Executor, trade: Trade, at: Date): Promise<RulingWarning[]> {
  const statements = trade.deadlines.dispute_statements;
  const open = statements !== undefined && statements.pausedAt === null && statements.dueAt > at;
  const dispute = await findDecidingCase(exec, trade.id);
  const taken = dispute !== undefined && (await mediatorOf(exec, dispute)) !== null;
  return [...(open ? (["statements_open"] as const) : []), ...(taken ? [] : (["not_taken"] as const))];
}
