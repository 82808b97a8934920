import { and, inArray, ne, sql } from "drizzle-orm";
import { fourEyesAbove } from "#config";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, payoutsTable } from "../schema/money.ts";
import type { PayoutActor } from "./payouts.ts";

/** True when so much of one trade, in tugrik, moves only by two administrators (design §4 "Four eyes"). */
export function exceedsFourEyes(total: number): boolean {
  const above = fourEyesAbove();
  return above !== null && total > above;
}

/**
 * The tugrik that all payouts and refunds of each reference give to people together, whatever their state; void ones left out. A
 * reference without any is absent.
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

/** The same of records at hand, all of one trade. */
export function outgoingTotal(all: ReadonlyArray<Pick<Payout, "state" | "amount">>): number {
  return all.filter(({ state }) => state !== "void").reduce((total, { amount }) => total + amount, 0);
}

/** Whether the records of a reference together are so much that its approver and its sender must be two people. */
export async function needsFourEyes(exec: Executor, reference: Reference): Promise<boolean> {
  return exceedsFourEyes((await outgoingTotals(exec, [reference])).get(reference) ?? 0);
}

export type FourEyesRefusal = "FOUR_EYES_REQUIRED" | "FOUR_EYES_RELATED";

/** Why a person is no second pair of eyes to what another did; null where they are. */
export function fourEyesRefusal(other: number, by: PayoutActor): FourEyesRefusal | null {
  if (other === by.userId) return "FOUR_EYES_REQUIRED";
  return by.hands.includes(other) ? "FOUR_EYES_RELATED" : null;
}

/** Why this person may not send after that approver, where it takes two; null where they may. */
export async function senderRefusal(
  exec: Executor,
  payout: Payout,
  by: PayoutActor,
): Promise<FourEyesRefusal | null> {
  const { approvedBy, fourEyes, reference } = payout;
  if (approvedBy === null || !(fourEyes || (await needsFourEyes(exec, reference)))) return null;
  return fourEyesRefusal(approvedBy, by);
}
