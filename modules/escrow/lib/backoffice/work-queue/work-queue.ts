import { and, asc, eq, gt, inArray, isNull, ne, or } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, type NotAdmin, proposedRestrictions, requireAdmin } from "#modules/identity";
import {
  endsWithItsRecord,
  type HoldReason,
  isClearedByProvider,
  listOpenHolds,
  type OutgoingKind,
  payoutQueue,
  settlementsWaiting,
} from "#modules/payments";
import { type ReportHappened, type WorkKind, workKinds } from "../../../forms.ts";
import { tradeRows } from "../../core/load-trade.ts";
import { deadlinesTable, disputesTable, manualPaymentsTable, tradesTable } from "../../core/schema.ts";
import { type AnswerToMediator, answerIn } from "../../disputes/answers-to-mediator.ts";
import { mediatorsOf } from "../../disputes/dispute-cases.ts";
import { findOpenRulings } from "../../disputes/rulings/proposals.ts";
import { deadlineHours } from "../../machine/deadline-times.ts";
import type { Party } from "../../machine/trade-types.ts";
import { waitingReports } from "../../reports/list-reports.ts";
import {
  openProposalCondition,
  type ProposalView,
  prepareProposalView,
} from "../manual-payments/proposals.ts";
import { type Alarm, findAlarms } from "../treasury/alarms.ts";
import { type Chore, calculateDueAt, LENGTH, listChores, WITHIN_HOURS } from "./chores.ts";
import { type PayoutTask, payoutTasks } from "./payout-tasks.ts";

/**
 * Deadlines that no other kind of work stands for once they have passed: of a payout and of a dispute there is one of its own. A refund
 * stands there too, but to be sent; here it is its buyer who has to be asked.
 */
const overdueKinds = [
  "payment_window",
  "hand_over",
  "admin_review",
  "seller_finish",
  "refund_account",
] as const;

/** Everything that waits for administrators, the most pressing first; at most a hundred of each. */
export type WorkQueue = {
  /** That the books or the log do not prove themselves comes before all else. */
  alarms: Alarm[];
  payouts: PayoutTask[];
  disputes: Array<{
    transactionId: number;
    transactionCode: string;
    openedBy: Party;
    openedAt: string;
    /** Who has the case; null while nobody does. */
    mediator: string | null;
    /** Which side last wrote after the mediator's last words, and when. */
    answered: AnswerToMediator | null;
    /** Who proposed a ruling that waits for a second administrator. */
    proposed: ProposalView | null;
    /** When it should be ruled. */
    dueAt: string;
  }>;
  overdue: Array<{
    transactionId: number;
    transactionCode: string;
    kind: (typeof overdueKinds)[number];
    dueAt: string;
  }>;
  /** Trades on hold, each once: what holds them, the oldest reason first. */
  holds: Array<{
    transactionId: number;
    transactionCode: string;
    reasons: HoldReason[];
    /** A resolution waits for a second administrator. */
    secondNeeded: boolean;
    openedAt: string;
    dueAt: string;
  }>;
  handConfirmations: Array<{
    transactionId: number;
    transactionCode: string;
    proposal: ProposalView;
    proposedAt: string;
    dueAt: string;
  }>;
  /** Settlements of QPay that a second administrator should confirm. */
  settlements: Array<{ proposal: ProposalView; proposedAt: string; dueAt: string }>;
  /** People whom a second administrator should confirm to be restricted for good. */
  restrictions: Array<{
    userId: number;
    username: string;
    kind: "limit" | "suspend";
    proposedBy: string;
    dueAt: string;
  }>;
  /** What people reported and nobody has looked at. */
  reports: Array<{
    id: number;
    number: string;
    happened: ReportHappened;
    /** It holds its transaction. */
    held: boolean;
    transactionCode: string | null;
    dueAt: string;
  }>;
  /** What went wrong without touching one trade alone. */
  chores: Chore[];
  /** The kinds of which there are more than a hundred. */
  more: WorkKind[];
  serverTime: string;
};

/** What waits for payout, refund, ruling or a second pair of eyes. */
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
    more: workKinds.filter((kind) => found[kind].length > LENGTH),
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
  // Only who was written to may have answered: of a case that nobody has, nothing is looked up.
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

/** So many open reasons are read at most; a trade has few. */
const MOST_HOLDS = 500;

/** What the provider may clear by itself waits for a person once it has not done so for an hour. */
const PATIENCE_MS = 3_600_000;

/** A transfer in doubt and a difference stand in the list by themselves. */
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
 * Proposals that a second administrator should look at. Of a trade that was paid and has ended nothing is awaited any more; where
 * nothing was paid, or the end was known, the money may be there and belong to the buyer.
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

/** The same of QPay's settlements, for which nobody outside waits. */
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

/** What holds money is looked at as soon as a payout would be made. */
async function listOpenReports(): Promise<WorkQueue["reports"]> {
  const rows = await waitingReports(LENGTH + 1);
  return rows.map(({ id, number, happened, held, transactionCode, createdAt }) => ({
    ...{ id, number, happened, held, transactionCode },
    dueAt: calculateDueAt(createdAt, held ? deadlineHours.payout : WITHIN_HOURS),
  }));
}
