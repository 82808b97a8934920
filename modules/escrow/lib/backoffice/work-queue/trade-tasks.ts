import { and, asc, eq, gt, inArray, isNull, ne, or } from "drizzle-orm";
import { db } from "#db/client";
import { endsWithItsRecord, isClearedByProvider, listOpenHolds } from "#modules/payments";
import { tradeRows } from "../../core/load-trade.ts";
import { deadlinesTable, disputesTable, manualPaymentsTable, tradesTable } from "../../core/schema.ts";
import { answerIn } from "../../disputes/answers-to-mediator.ts";
import { mediatorsOf } from "../../disputes/dispute-cases.ts";
import { findOpenRulings } from "../../disputes/rulings/proposals.ts";
import { deadlineHours } from "../../machine/deadline-times.ts";
import { openProposalCondition, prepareProposalView } from "../manual-payments/proposals.ts";
import type { WorkQueue } from "../treasury/responses.ts";
import { calculateDueAt, LENGTH } from "./chores.ts";

/**
 * Deadlines that the queue lists once they have passed, because no other kind of work covers them: a payout and a dispute are kinds of
 * their own. A refund is also listed among the payouts, to be sent; here it is listed because its buyer must be asked for an account.
 */
const overdueKinds = [
  "payment_window",
  "hand_over",
  "admin_review",
  "seller_finish",
  "refund_account",
] as const;

/** Open disputes, the oldest first, as the administrator `reader` sees them. */
export async function listOpenDisputes(reader: number, now: Date): Promise<WorkQueue["disputes"]> {
  const rows = await db()
    .select({ dispute: disputesTable, trade: tradesTable, dueAt: deadlinesTable.dueAt })
    .from(disputesTable)
    .innerJoin(tradesTable, eq(tradesTable.id, disputesTable.tradeId))
    .leftJoin(
      deadlinesTable,
      and(
        eq(deadlinesTable.tradeId, disputesTable.tradeId),
        eq(deadlinesTable.kind, "dispute_ruling"),
        ne(deadlinesTable.state, "closed"),
      ),
    )
    .where(isNull(disputesTable.outcome))
    .orderBy(asc(disputesTable.openedAt), asc(disputesTable.id))
    .limit(LENGTH + 1);
  const mediators = await mediatorsOf(
    db(),
    rows.map(({ dispute }) => dispute),
  );
  const proposals = await findOpenRulings(
    db(),
    rows.map(({ dispute }) => dispute.id),
  );
  const show = await prepareProposalView(db(), reader, [...proposals.values()], now);
  // Only a mediator can have been answered: for a case that nobody has, nothing is looked up.
  const answers = await Promise.all(
    rows.map(({ dispute, trade }, at) => (mediators[at] ? answerIn(db(), trade, dispute) : null)),
  );
  const proposedIn = (id: number) => {
    const row = proposals.get(id);
    return row === undefined ? null : show(row);
  };
  return rows.map(({ dispute, trade, dueAt }, at) => ({
    transactionId: dispute.tradeId,
    transactionCode: trade.code,
    openedBy: dispute.openedBy,
    openedAt: dispute.openedAt.toISOString(),
    mediator: mediators[at]?.displayName ?? null,
    answered: answers[at] ?? null,
    proposed: proposedIn(dispute.id),
    dueAt: dueAt?.toISOString() ?? calculateDueAt(dispute.openedAt, deadlineHours.dispute_ruling),
  }));
}

/** Deadlines of these kinds that have passed, the most overdue first. */
export async function listOverdueDeadlines(): Promise<WorkQueue["overdue"]> {
  const rows = await db()
    .select({ deadline: deadlinesTable, code: tradesTable.code })
    .from(deadlinesTable)
    .innerJoin(tradesTable, eq(tradesTable.id, deadlinesTable.tradeId))
    .where(and(eq(deadlinesTable.state, "overdue"), inArray(deadlinesTable.kind, [...overdueKinds])))
    .orderBy(asc(deadlinesTable.dueAt), asc(deadlinesTable.id))
    .limit(LENGTH + 1);
  return rows.map(({ deadline, code }) => ({
    transactionId: deadline.tradeId,
    transactionCode: code,
    kind: deadline.kind as (typeof overdueKinds)[number],
    dueAt: deadline.dueAt.toISOString(),
  }));
}

/** At most this many open reasons are read; a trade has few. */
const MOST_HOLDS = 500;

/** After this many ms, a hold that the provider could have cleared waits for a person. */
const PATIENCE_MS = 3_600_000;

/** Trades on hold that a person must look at. A transfer in doubt and a difference are listed as kinds of their own. */
export async function listTradesOnHold(at: Date): Promise<WorkQueue["holds"]> {
  const rows = (await listOpenHolds(db(), MOST_HOLDS)).filter(({ reason, openedAt }) => {
    const late = at.getTime() - openedAt.getTime() > PATIENCE_MS;
    return !endsWithItsRecord(reason) && (late || !isClearedByProvider(reason));
  });
  const of = await tradeRows(db(), [...new Set(rows.map((row) => row.reference))]);
  const codes = new Map(of.map((row) => [row.id, row.code]));
  return [...Map.groupBy(rows, ({ reference }) => reference)].slice(0, LENGTH + 1).map(([id, holds]) => {
    const since = holds[0]?.openedAt ?? at;
    return {
      transactionId: id,
      transactionCode: codes.get(id) ?? "",
      reasons: [...new Set(holds.map(({ reason }) => reason))],
      secondNeeded: holds.some(({ proposedBy }) => proposedBy !== null),
      openedAt: since.toISOString(),
      dueAt: calculateDueAt(since, deadlineHours.payout),
    };
  });
}

/**
 * Manual payments that a second administrator should confirm. A trade that was paid and has ended expects no more money. If it was never
 * paid, or the proposal was made after its end, the money may have arrived and belong to the buyer.
 */
export async function listManualPayments(reader: number, at: Date): Promise<WorkQueue["handConfirmations"]> {
  const awaited = or(
    isNull(tradesTable.endedAt),
    isNull(tradesTable.confirmedAt),
    gt(manualPaymentsTable.proposedAt, tradesTable.endedAt),
  );
  const rows = await db()
    .select({ proposal: manualPaymentsTable, id: tradesTable.id, code: tradesTable.code })
    .from(manualPaymentsTable)
    .innerJoin(tradesTable, eq(tradesTable.id, manualPaymentsTable.tradeId))
    .where(and(openProposalCondition, awaited))
    .orderBy(asc(manualPaymentsTable.proposedAt), asc(manualPaymentsTable.id))
    .limit(LENGTH + 1);
  const show = await prepareProposalView(
    db(),
    reader,
    rows.map(({ proposal }) => proposal),
    at,
  );
  return rows.map(({ proposal, id, code }) => ({
    transactionId: id,
    transactionCode: code,
    proposal: show(proposal),
    proposedAt: proposal.proposedAt.toISOString(),
    dueAt: calculateDueAt(proposal.proposedAt, deadlineHours.payout),
  }));
}
