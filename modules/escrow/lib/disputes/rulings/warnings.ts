import type { Executor } from "#db/client";
import type { Trade } from "../../machine/trade-types.ts";
import { findDecidingCase, mediatorOf } from "../dispute-cases.ts";
import type { RulingWarning } from "./schema.ts";

/**
 * What an administrator should know before giving a ruling: a party may still explain its side, or nobody has taken the case, so that
 * nobody has heard both parties. Once both parties have made a statement, that deadline is closed and there is no warning about it.
 */
export async function warningsOf(exec: Executor, trade: Trade, at: Date): Promise<RulingWarning[]> {
  const statements = trade.deadlines.dispute_statements;
  const open = statements !== undefined && statements.pausedAt === null && statements.dueAt > at;
  const dispute = await findDecidingCase(exec, trade.id);
  const taken = dispute !== undefined && (await mediatorOf(exec, dispute)) !== null;
  return [...(open ? (["statements_open"] as const) : []), ...(taken ? [] : (["not_taken"] as const))];
}
