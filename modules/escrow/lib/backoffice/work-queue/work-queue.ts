import { and, asc, eq, gt, inArray, isNull, ne, or } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, type NotAdmin, proposedRestrictions, requireAdmin } from "#modules/identity";
import {
  endsWithItsRecord,
  isClearedByProvider,
  listOpenHolds,
  type OutgoingKind,
  payoutQueue,
  settlementsWaiting,
} from "#modules/payments";
import { type WorkKind, workKinds } from "../../../forms.ts";
import { tradeRows } from "../../core/load-trade.ts";
import { deadlinesTable, disputesTable, manualPaymentsTable, tradesTable } from "../../core/schema.ts";
import { answerIn } from "../../disputes/answers-to-mediator.ts";
import { mediatorsOf } from "../../disputes/dispute-cases.ts";
import { findOpenRulings } from "../../disputes/rulings/proposals.ts";
import { deadlineHours } from "../../machine/deadline-times.ts";
import { waitingReports } from "../../reports/list-reports.ts";
import { openProposalCondition, prepareProposalView } from "../manual-payments/proposals.ts";
import { findAlarms } from "../treasury/alarms.ts";
import type { WorkQueue } from "../treasury/responses.ts";
import { calculateDueAt, LENGTH, listChores, WITHIN_HOURS } from "./chores.ts";
import { payoutTasks } from "./payout-tasks.ts";

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

/** Alarms are one or two: all of them are shown. */
const countedKinds = workKinds.filter((kind): kind is Exclude<WorkKind, "alarm"> => kind !== "alarm");

/**
 * Reads the work queue: all that waits for a payout, a refund, a ruling or a second administrator. Refuses AUTH_REQUIRED, ADMIN_REQUIRED.
 */
export async function workQueue(actor: Actor): Promise<{ ok: true; queue: WorkQueue } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  const outgoing = (of: OutgoingKind) => payoutQueue(db(), { of, limit: LENGTH + 1 });
  const [
    alarm,
    payout,
    refund,
    suspense,
    dispute,
    unconfirmed,
    hold,
    byHand,
    settlement,
    restriction,
    report,
    others,
  ] = await Promise.all([
    findAlarms(at),
    outgoing("payout"),
    outgoing("refund"),
    outgoing("suspense"),
    listOpenDisputes(admin.member.userId, at),
    listOverdueDeadlines(),
    listTradesOnHold(at),
    listManualPayments(admin.member.userId, at),
    listOpenSettlements(admin.member.userId, at),
    listProposedRestrictions(),
    listOpenReports(),
    listChores(),
  ]);
  const trade = { payout, refund, suspense, dispute, unconfirmed, hold, byHand };
  const found = { alarm, ...trade, settlement, restriction, report, ...others };
  const queue = {
    alarms: alarm,
    payouts: await payoutTasks(admin.member.userId, [payout, refund, suspense].flatMap(limitList), at),
    disputes: limitList(dispute),
    overdue: limitList(unconfirmed),
    holds: limitList(hold),
    handConfirmations: limitList(byHand),
    settlements: limitList(settlement),
    restrictions: limitList(restriction),
    reports: limitList(report),
    chores: [others.difference, others.job, others.mail].flatMap(limitList),
    more: countedKinds.filter((kind) => found[kind].length > LENGTH),
    serverTime: at.toISOString(),
  };
  return { ok: true, queue };
}

function limitList<T>(all: T[]): T[] {
  return all.slice(0, LENGTH);
}

async function listOpenDisputes(reader: number, now: Date): Promise<WorkQueue["disputes"]> {
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

async function listOverdueDeadlines(): Promise<WorkQueue["overdue"]> {
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
async function listTradesOnHold(at: Date): Promise<WorkQueue["holds"]> {
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
async function listManualPayments(reader: number, at: Date): Promise<WorkQueue["handConfirmations"]> {
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

/** QPay's settlements that a second administrator should confirm; nobody outside waits for them. */
async function listOpenSettlements(reader: number, at: Date): Promise<WorkQueue["settlements"]> {
  const rows = await settlementsWaiting(db(), LENGTH + 1);
  const show = await prepareProposalView(db(), reader, rows, at);
  return rows.map((row) => ({
    proposal: show(row),
    proposedAt: row.proposedAt.toISOString(),
    dueAt: calculateDueAt(row.proposedAt, WITHIN_HOURS),
  }));
}

async function listProposedRestrictions(): Promise<WorkQueue["restrictions"]> {
  const rows = await proposedRestrictions(LENGTH + 1);
  return rows.map(({ userId, username, kind, proposedBy, proposedAt }) => ({
    ...{ userId, username, kind, proposedBy },
    dueAt: calculateDueAt(proposedAt, WITHIN_HOURS),
  }));
}

/** A report that holds money is due as soon as a payout would be. */
async function listOpenReports(): Promise<WorkQueue["reports"]> {
  const rows = await waitingReports(LENGTH + 1);
  return rows.map(({ id, number, happened, held, transactionCode, createdAt }) => ({
    ...{ id, number, happened, held, transactionCode },
    dueAt: calculateDueAt(createdAt, held ? deadlineHours.payout : WITHIN_HOURS),
  }));
}
