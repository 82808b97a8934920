import { and, inArray, ne, sql } from "drizzle-orm";
import { fourEyesAbove } from "#config";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, payoutsTable } from "../schema/money.ts";
import type { PayoutActor } from "./payouts.ts";

/** True if the total of one trade, in ₮, may leave only with two administrators (docs/decisions/0018-four-eyes-count-the-trade.md). */
export function exceedsFourEyes(total: number): boolean {
  const above = fourEyesAbove();
  return above !== null && total > above;
}

/**
 * The total in ₮ that all payouts and refunds of each reference pay to recipients, in every state but void. A reference without any is
 * absent.
 */
export async function outgoingTotals(
  exec: Executor,
  references: readonly Reference[],
): Promise<Map<Reference, number>> {
  if (references.length === 0) return new Map();
  const rows = await exec
    .select({
      reference: payoutsTable.reference,
      total: sql<number>`sum(${payoutsTable.amount})::bigint`.mapWith(Number),
    })
    .from(payoutsTable)
    .where(and(inArray(payoutsTable.reference, [...references]), ne(payoutsTable.state, "void")))
    .groupBy(payoutsTable.reference);
  return new Map(rows.map(({ reference, total }) => [reference, total]));
}

/** The same total for given payouts of one trade. */
export function outgoingTotal(all: ReadonlyArray<Pick<Payout, "state" | "amount">>): number {
  return all.filter(({ state }) => state !== "void").reduce((total, { amount }) => total + amount, 0);
}

/** True if the payouts of a reference add up to so much that its approver and its sender must be two administrators. */
export async function needsFourEyes(exec: Executor, reference: Reference): Promise<boolean> {
  return exceedsFourEyes((await outgoingTotals(exec, [reference])).get(reference) ?? 0);
}

export type FourEyesRefusal = "FOUR_EYES_REQUIRED" | "FOUR_EYES_RELATED";

/** Why an administrator does not count as a second reviewer beside `other`; null if they do. */
export function fourEyesRefusal(other: number, by: PayoutActor): FourEyesRefusal | null {
  if (other === by.userId) return "FOUR_EYES_REQUIRED";
  return by.relatedAdminIds.includes(other) ? "FOUR_EYES_RELATED" : null;
}

/** Why this administrator may not send the payout after its approver, where four eyes are required; null if they may. */
export async function senderRefusal(
  exec: Executor,
  payout: Payout,
  by: PayoutActor,
): Promise<FourEyesRefusal | null> {
  const { approvedBy, fourEyes, reference } = payout;
  if (approvedBy === null || !(fourEyes || (await needsFourEyes(exec, reference)))) return null;
  return fourEyesRefusal(approvedBy, by);
}
