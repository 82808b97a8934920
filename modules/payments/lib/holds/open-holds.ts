import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { isMoneyHeld } from "../ledger/balances.ts";
import { withoutAlteredHolds } from "../proof/sealed-holds.ts";
import type { Reference } from "../provider/provider-types.ts";
import { paymentKey } from "../received/payment-key.ts";
import { enqueueHoldChange } from "./hold-change-job.ts";
import { type HoldFacts, type HoldReason, isClearedByProvider } from "./hold-reasons.ts";
import { recordHold } from "./record-hold.ts";
import { holdsTable } from "./schema.ts";

export type NewHold = {
  reference: Reference;
  reason: HoldReason;
  subject: string;
  /** Distinguishes two reports about one subject: a decision covers only a report with the same figures. */
  figures?: string;
  facts: HoldFacts;
  /** The administrator who reports it; null if Midman found it. */
  by?: number | null;
};

/** The subject of a hold about one payment, the same for every form of its id. */
export function paymentSubject(providerPaymentId: string): string {
  return `payment:${paymentKey(providerPaymentId)}`.slice(0, 200);
}

/** The subject of a hold about one invoice at the provider. */
export function invoiceSubject({ id }: { id: number }): string {
  return `invoice:${id}`;
}

/** Joins the figures of a hold with spaces; a missing figure is a dash. */
export function figuresOf(...parts: ReadonlyArray<string | number | null | undefined>): string {
  return parts.map((one) => one ?? "-").join(" ");
}

/**
 * Opens holds in the caller's transaction. A hold that is already open gets the latest facts, and loses a proposal that was made about
 * other figures. A hold that administrators closed with the same figures is not opened again, so that a row which the provider still lists
 * does not reopen it. This applies if two administrators closed it, or if one did while no money was held and none is now, and only until
 * the provider reports the payment as paid. A reason that the provider's next answer can clear always opens. An open hold that was altered
 * in the database is left as it is (`withoutAlteredHolds`).
 */
export async function openHolds(tx: Tx, wanted: readonly NewHold[], at: Date): Promise<void> {
  // Locks the trades in one order, so that two callers that hold each other's trades do not deadlock.
  for (const one of [...wanted].sort((a, b) => a.reference - b.reference)) {
    const { reference, reason, subject, figures = "", facts, by = null } = one;
    const comesBack = isClearedByProvider(reason);
    const oneAdministratorSuffices = !comesBack && !(await isMoneyHeld(tx, reference));
    // Wait for a transaction that is closing the hold, in a statement of its own, so that the INSERT below sees the result.
    const open = await lockHolds(tx, [
      ...[
        eq(holdsTable.reference, reference),
        eq(holdsTable.reason, reason),
        eq(holdsTable.subject, subject),
      ],
      isNull(holdsTable.closedAt),
    ]);
    if ((await withoutAlteredHolds(tx, open)).length < open.length) continue;
    const closedBefore = sql`EXISTS (SELECT FROM payments.holds h WHERE h.reference = ${reference} AND h.reason = ${reason}
      AND h.subject = ${subject} AND h.figures = ${figures} AND h.closed_by IS NOT NULL AND h.outdated_at IS NULL
      AND (h.proposed_by IS NOT NULL OR ${oneAdministratorSuffices}::boolean))`;
    const rows = await tx.execute<{ id: string; fresh: boolean }>(sql`
      INSERT INTO payments.holds AS held (reference, reason, subject, figures, facts, opened_at, opened_by)
      SELECT ${reference}, ${reason}, ${subject}, ${figures}, ${JSON.stringify(facts)}::jsonb, ${at.toISOString()}::timestamptz,
        ${by}::bigint
      WHERE ${comesBack}::boolean OR NOT (${closedBefore})
      ON CONFLICT (reference, reason, subject) WHERE closed_at IS NULL
      DO UPDATE SET figures = excluded.figures, facts = excluded.facts, outdated_at = NULL,
        proposed_outcome = CASE WHEN held.figures = excluded.figures THEN held.proposed_outcome END,
        proposed_by = CASE WHEN held.figures = excluded.figures THEN held.proposed_by END,
        proposed_at = CASE WHEN held.figures = excluded.figures THEN held.proposed_at END,
        proposed_note = CASE WHEN held.figures = excluded.figures THEN held.proposed_note END
        WHERE (held.figures, held.facts) IS DISTINCT FROM (excluded.figures, excluded.facts) OR held.outdated_at IS NOT NULL
      RETURNING id, xmax = 0 AS fresh`);
    for (const { id, fresh } of rows) {
      const hold = { id: Number(id), reference, reason, subject };
      await recordHold(tx, hold, fresh ? "opened" : "updated", { by: { userId: by }, at });
      if (fresh) await enqueueHoldChange(tx, reference);
    }
  }
}

/** Locks the holds that meet all conditions and returns their ids. */
export async function lockHolds(tx: Tx, conditions: ReadonlyArray<SQL | undefined>): Promise<number[]> {
  const found = await tx
    .select({ id: holdsTable.id })
    .from(holdsTable)
    .where(and(...conditions))
    .orderBy(holdsTable.id)
    .for("update");
  return found.map(({ id }) => id);
}

/** Which open holds of a trade to end: all with a reason, only those about one subject, or only differences with one of `causes`. */
export type HoldsToClear = {
  reference: Reference;
  reason: HoldReason;
  subject?: string;
  causes?: readonly string[];
};

/**
 * Ends holds that the provider's answer, or the end of the record they are about, has cleared. Returns their number. Skips altered holds.
 */
export async function clearHolds(tx: Tx, cleared: HoldsToClear, at: Date): Promise<number> {
  const { reference, reason, subject, causes } = cleared;
  const conditions: Array<SQL | undefined> = [
    eq(holdsTable.reference, reference),
    eq(holdsTable.reason, reason),
    isNull(holdsTable.closedAt),
    subject === undefined ? undefined : eq(holdsTable.subject, subject),
    causes && inArray(sql`${holdsTable.facts} ->> 'cause'`, [...causes]),
  ];
  const open = await withoutAlteredHolds(tx, await lockHolds(tx, conditions));
  if (open.length === 0) return 0;
  const ended = await tx
    .update(holdsTable)
    .set({ closedAt: at, outcome: "cleared" })
    .where(inArray(holdsTable.id, open))
    .returning({ id: holdsTable.id, subject: holdsTable.subject });
  for (const { id, subject } of ended) {
    await recordHold(tx, { id, reference, reason, subject }, "cleared", { by: { userId: null }, at });
  }
  await enqueueHoldChange(tx, reference);
  return ended.length;
}
