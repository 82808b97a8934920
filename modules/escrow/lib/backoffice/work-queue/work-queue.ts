import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, type NotAdmin, proposedRestrictions, requireAdmin } from "#modules/identity";
import { type HoldReason, type OutgoingKind, payoutQueue, settlementsWaiting } from "#modules/payments";
import { type ReportHappened, type WorkKind, workKinds } from "../../../forms.ts";
import type { AnswerToMediator } from "../../disputes/answers-to-mediator.ts";
import { deadlineHours } from "../../machine/deadline-times.ts";
import type { Party } from "../../machine/trade-types.ts";
import { waitingReports } from "../../reports/list-reports.ts";
import { type ProposalView, prepareProposalView } from "../manual-payments/proposals.ts";
import type { PayoutTask } from "../payouts/responses.ts";
import { type Alarm, findAlarms } from "../treasury/alarms.ts";
import { type Chore, calculateDueAt, LENGTH, listChores, WITHIN_HOURS } from "./chores.ts";
import { payoutTasks } from "./payout-tasks.ts";
import {
  listManualPayments,
  listOpenDisputes,
  listOverdueDeadlines,
  listTradesOnHold,
  type overdueKinds,
} from "./trade-tasks.ts";

/** Everything that waits for administrators, most urgent first; at most a hundred of each kind. */
export type WorkQueue = {
  /** Failed or missing verifications of the ledger and the audit log come before all else. */
  alarms: Alarm[];
  payouts: PayoutTask[];
  disputes: Array<{
    transactionId: number;
    transactionCode: string;
    openedBy: Party;
    openedAt: string;
    /** The mediator; null while nobody has the case. */
    mediator: string | null;
    /** The party that last wrote after the mediator's latest message, and when. */
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
  /** Trades on hold, each once, with the reasons, the oldest first. */
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
  /** People whose permanent restriction a second administrator should confirm. */
  restrictions: Array<{
    userId: number;
    username: string;
    kind: "limit" | "suspend";
    proposedBy: string;
    dueAt: string;
  }>;
  /** Reports that nobody has looked at. */
  reports: Array<{
    id: number;
    number: string;
    happened: ReportHappened;
    /** The report holds its transaction. */
    held: boolean;
    transactionCode: string | null;
    dueAt: string;
  }>;
  /** Problems that do not concern one trade alone. */
  chores: Chore[];
  /** The kinds with more than a hundred items. */
  more: WorkKind[];
  serverTime: string;
};

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
    more: workKinds.filter((kind) => found[kind].length > LENGTH),
    serverTime: at.toISOString(),
  };
  return { ok: true, queue };
}

function limitList<T>(all: T[]): T[] {
  return all.slice(0, LENGTH);
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
