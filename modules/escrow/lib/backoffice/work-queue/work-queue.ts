import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, type NotAdmin, proposedRestrictions, requireAdmin } from "#modules/identity";
import { type OutgoingKind, payoutQueue, settlementsWaiting } from "#modules/payments";
import { deadlineHours } from "../../machine/deadline-times.ts";
import { waitingReports } from "../../reports/list-reports.ts";
import { prepareProposalView } from "../manual-payments/proposals.ts";
import { findAlarms } from "../treasury/alarms.ts";
import type { WorkQueue } from "../treasury/responses.ts";
import { calculateDueAt, LENGTH, listChores, WITHIN_HOURS } from "./chores.ts";
import { payoutTasks } from "./payout-tasks.ts";
import {
  listManualPayments,
  listOpenDisputes,
  listOverdueDeadlines,
  listTradesOnHold,
} from "./trade-tasks.ts";
import { countedKinds } from "./work-kinds.ts";

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
