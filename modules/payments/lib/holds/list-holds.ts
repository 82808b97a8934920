import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import type { HoldReason } from "./hold-reasons.ts";
import { type Hold, holdsTable } from "./schema.ts";

/** The reasons of a trade's open holds, each once; empty if it is not on hold. */
export async function openHoldReasons(exec: Executor, reference: Reference): Promise<HoldReason[]> {
  const rows = await exec
    .selectDistinct({ reason: holdsTable.reason })
    .from(holdsTable)
    .where(and(eq(holdsTable.reference, reference), isNull(holdsTable.closedAt)));
  return rows.map(({ reason }) => reason).sort();
}

/** The same for several trades; a trade that is not on hold is absent. */
export async function openHoldReasonsOf(
  exec: Executor,
  references: readonly Reference[],
): Promise<Map<Reference, HoldReason[]>> {
  if (references.length === 0) return new Map();
  const rows = await exec
    .selectDistinct({ reference: holdsTable.reference, reason: holdsTable.reason })
    .from(holdsTable)
    .where(and(inArray(holdsTable.reference, [...references]), isNull(holdsTable.closedAt)));
  const found = new Map<Reference, HoldReason[]>();
  for (const { reference, reason } of rows) found.set(reference, [...(found.get(reference) ?? []), reason]);
  return found;
}

/** Every hold that one trade ever had, the open ones included, oldest first. */
export function holdsOf(exec: Executor, reference: Reference): Promise<Hold[]> {
  return exec
    .select()
    .from(holdsTable)
    .where(eq(holdsTable.reference, reference))
    .orderBy(asc(holdsTable.id));
}

/** The open holds of all trades, oldest first. */
export function listOpenHolds(exec: Executor, limit: number): Promise<Hold[]> {
  return exec
    .select()
    .from(holdsTable)
    .where(isNull(holdsTable.closedAt))
    .orderBy(asc(holdsTable.openedAt), asc(holdsTable.id))
    .limit(limit);
}

/** One hold, open or closed; null when there is none. */
export async function holdById(exec: Executor, id: number): Promise<Hold | null> {
  const [row] = await exec.select().from(holdsTable).where(eq(holdsTable.id, id));
  return row ?? null;
}

/** Marks that the administrators were notified of these holds. */
export async function markHoldsTold(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  await tx
    .update(holdsTable)
    .set({ toldAt: at })
    .where(and(inArray(holdsTable.id, [...ids]), isNull(holdsTable.toldAt)));
}
