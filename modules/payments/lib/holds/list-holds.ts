import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import type { HoldReason } from "./hold-reasons.ts";
import { type Hold, holds } from "./schema.ts";

/** Why a trade's money stands still now, each reason once; empty while it may move. */
export async function openHoldReasons(exec: Executor, reference: Reference): Promise<HoldReason[]> {
  const rows = await exec
    .selectDistinct({ reason: holds.reason })
    .from(holds)
    .where(and(eq(holds.reference, reference), isNull(holds.closedAt)));
  return rows.map(({ reason }) => reason).sort();
}

/** The same of several trades; one that is not on hold is absent. */
export async function openHoldReasonsOf(
  exec: Executor,
  references: readonly Reference[],
): Promise<Map<Reference, HoldReason[]>> {
  if (references.length === 0) return new Map();
  const rows = await exec
    .selectDistinct({ reference: holds.reference, reason: holds.reason })
    .from(holds)
    .where(and(inArray(holds.reference, [...references]), isNull(holds.closedAt)));
  const found = new Map<Reference, HoldReason[]>();
  for (const { reference, reason } of rows) found.set(reference, [...(found.get(reference) ?? []), reason]);
  return found;
}

/** Every hold that one trade ever had, the open ones included, oldest first. */
export function holdsOf(exec: Executor, reference: Reference): Promise<Hold[]> {
  return exec.select().from(holds).where(eq(holds.reference, reference)).orderBy(asc(holds.id));
}

/** The open holds of all trades, oldest first. */
export function holdsWaiting(exec: Executor, limit: number): Promise<Hold[]> {
  return exec
    .select()
    .from(holds)
    .where(isNull(holds.closedAt))
    .orderBy(asc(holds.openedAt), asc(holds.id))
    .limit(limit);
}

/** One hold, open or closed; null when there is none. */
export async function holdById(exec: Executor, id: number): Promise<Hold | null> {
  const [row] = await exec.select().from(holds).where(eq(holds.id, id));
  return row ?? null;
}

/** Marks that the administrators have been told of these. */
export async function markHoldsTold(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  await tx
    .update(holds)
    .set({ toldAt: at })
    .where(and(inArray(holds.id, [...ids]), isNull(holds.toldAt)));
}
