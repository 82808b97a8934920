import { and, asc, eq, gt, inArray, isNull, ne, or } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { type Actor, type NotAdmin, proposedRestrictions, requireAdmin } from "#modules/identity";
import {
  clearsItself,
  endsWithItsRecord,
  type HoldReason,
  holdsWaiting,
  type Outgoing,
  payoutQueue,
  settlementsWaiting,
} from "#modules/payments";
import { type ReportHappened, type WorkKind, workKinds } from "../../../forms.ts";
import { tradeRows } from "../../core/load-trade.ts";
import { deadlines, disputes, handConfirmations, trades } from "../../core/schema.ts";
import { type AnswerToMediator, answerIn } from "../../disputes/answers-to-mediator.ts";
import { mediatorsOf } from "../../disputes/case.ts";
import { openRulings } from "../../disputes/rulings/proposals.ts";
import { hours } from "../../machine/deadline-times.ts";
import type { Party } from "../../machine/trade-types.ts";
import { waitingReports } from "../../reports/list-reports.ts";
import { type ProposalView, shownTo, waiting } from "../manual-payments/proposals.ts";
import { type Alarm, alarms } from "../treasury/alarms.ts";
import { type Chore, chores, LENGTH, promised, WITHIN_HOURS } from "./chores.ts";
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
  const at = now();
  const outgoing = (of: Outgoing) => payoutQueue(db(), { of, limit: LENGTH + 1 });
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
    alarms(at),
    outgoing("payout"),
    outgoing("refund"),
    outgoing("suspense"),
    openDisputes(admin.member.userId, at),
    overdueDeadlines(),
    tradesHeld(at),
    proposals(admin.member.userId, at),
    settlements(admin.member.userId, at),
    restrictions(),
    reported(),
    chores(),
  ]);
  const trade = { payout, refund, suspense, dispute, unconfirmed, hold, byHand };
  const found = { alarm, ...trade, settlement, restriction, report, ...others };
  const queue = {
    alarms: alarm,
    payouts: await payoutTasks(admin.member.userId, [payout, refund, suspense].flatMap(first), at),
    disputes: first(dispute),
    overdue: first(unconfirmed),
    holds: first(hold),
    handConfirmations: first(byHand),
    settlements: first(settlement),
    restrictions: first(restriction),
    reports: first(report),
    chores: [others.difference, others.job, others.mail].flatMap(first),
    more: workKinds.filter((kind) => found[kind].length > LENGTH),
    serverTime: at.toISOString(),
  };
  return { ok: true, queue };
}

function first<T>(all: T[]): T[] {
  return all.slice(0, LENGTH);
}

async function openDisputes(reader: number, now: Date): Promise<WorkQueue["disputes"]> {
  const rows = await db()
    .select({ dispute: disputes, trade: trades, dueAt: deadlines.dueAt })
    .from(disputes)
    .innerJoin(trades, eq(trades.id, disputes.tradeId))
    .leftJoin(
      deadlines,
      and(
        eq(deadlines.tradeId, disputes.tradeId),
        eq(deadlines.kind, "dispute_ruling"),
        ne(deadlines.state, "closed"),
      ),
    )
    .where(isNull(disputes.outcome))
    .orderBy(asc(disputes.openedAt), asc(disputes.id))
    .limit(LENGTH + 1);
  const mediators = await mediatorsOf(
    db(),
    rows.map(({ dispute }) => dispute),
  );
  const proposals = await openRulings(
    db(),
    rows.map(({ dispute }) => dispute.id),
  );
  const show = await shownTo(db(), reader, [...proposals.values()], now);
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
    dueAt: dueAt?.toISOString() ?? promised(dispute.openedAt, hours.dispute_ruling),
  }));
}

async function overdueDeadlines(): Promise<WorkQueue["overdue"]> {
  const rows = await db()
    .select({ deadline: deadlines, code: trades.code })
    .from(deadlines)
    .innerJoin(trades, eq(trades.id, deadlines.tradeId))
    .where(and(eq(deadlines.state, "overdue"), inArray(deadlines.kind, [...overdueKinds])))
    .orderBy(asc(deadlines.dueAt), asc(deadlines.id))
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
async function tradesHeld(at: Date): Promise<WorkQueue["holds"]> {
  const rows = (await holdsWaiting(db(), MOST_HOLDS)).filter(({ reason, openedAt }) => {
    const late = at.getTime() - openedAt.getTime() > PATIENCE_MS;
    return !endsWithItsRecord(reason) && (late || !clearsItself(reason));
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
      dueAt: promised(since, hours.payout),
    };
  });
}

/**
 * Proposals that a second administrator should look at. Of a trade that was paid and has ended nothing is awaited any more; where
 * nothing was paid, or the end was known, the money may be there and belong to the buyer.
 */
async function proposals(reader: number, at: Date): Promise<WorkQueue["handConfirmations"]> {
  const awaited = or(
    isNull(trades.endedAt),
    isNull(trades.confirmedAt),
    gt(handConfirmations.proposedAt, trades.endedAt),
  );
  const rows = await db()
    .select({ proposal: handConfirmations, id: trades.id, code: trades.code })
    .from(handConfirmations)
    .innerJoin(trades, eq(trades.id, handConfirmations.tradeId))
    .where(and(waiting, awaited))
    .orderBy(asc(handConfirmations.proposedAt), asc(handConfirmations.id))
    .limit(LENGTH + 1);
  const show = await shownTo(
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
    dueAt: promised(proposal.proposedAt, hours.payout),
  }));
}

/** The same of QPay's settlements, for which nobody outside waits. */
async function settlements(reader: number, at: Date): Promise<WorkQueue["settlements"]> {
  const rows = await settlementsWaiting(db(), LENGTH + 1);
  const show = await shownTo(db(), reader, rows, at);
  return rows.map((row) => ({
    proposal: show(row),
    proposedAt: row.proposedAt.toISOString(),
    dueAt: promised(row.proposedAt, WITHIN_HOURS),
  }));
}

async function restrictions(): Promise<WorkQueue["restrictions"]> {
  const rows = await proposedRestrictions(LENGTH + 1);
  return rows.map(({ userId, username, kind, proposedBy, proposedAt }) => ({
    ...{ userId, username, kind, proposedBy },
    dueAt: promised(proposedAt, WITHIN_HOURS),
  }));
}

/** What holds money is looked at as soon as a payout would be made. */
async function reported(): Promise<WorkQueue["reports"]> {
  const rows = await waitingReports(LENGTH + 1);
  return rows.map(({ id, number, happened, held, transactionCode, createdAt }) => ({
    ...{ id, number, happened, held, transactionCode },
    dueAt: promised(createdAt, held ? hours.payout : WITHIN_HOURS),
  }));
}
