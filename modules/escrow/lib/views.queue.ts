import { and, asc, eq, inArray, isNull, ne } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { type Actor, type NotAdmin, people, requireAdmin } from "#modules/identity";
import {
  type AskProblem,
  needsFourEyes,
  type Payout,
  payerBanks,
  payoutQueue,
  providerProblemsOf,
} from "#modules/payments";
import { mediatorsOf } from "./disputes.case.ts";
import { tradeRows } from "./load.ts";
import { hours } from "./machine/time.ts";
import type { Party } from "./machine/types.ts";
import { deadlines, disputes, handConfirmations, trades } from "./schema.ts";
import { type Chore, chores, LENGTH, promised } from "./views.queue.chores.ts";
import { type Sender, senderOf } from "./views.sender.ts";

/** Money that waits for a person. */
export type PayoutTask = Pick<
  Payout,
  | "id"
  | "kind"
  | "source"
  | "amount"
  | "fee"
  | "state"
  | "destination"
  | "fourEyes"
  | "approvedBy"
  | "referenceMissing"
> & {
  transactionId: number;
  transactionCode: string;
  recipient: { id: number; displayName: string } | null;
  /** Codes of the banks a refund's money came from. */
  payerBanks: string[];
  /** Who is making the transfer. */
  sender: Sender | null;
  dueAt: string;
  overdue: boolean;
};

/** Deadlines that no other kind of work stands for once they have passed: of a payout and of a dispute there is one of its own. */
const unconfirmed = ["payment_window", "hand_over", "admin_review"] as const;

/** Everything that waits for administrators, the most pressing first; at most a hundred of each. */
export type WorkQueue = {
  payouts: PayoutTask[];
  disputes: Array<{
    transactionId: number;
    transactionCode: string;
    openedBy: Party;
    openedAt: string;
    /** Who has the case; null while nobody does. */
    mediator: string | null;
    /** When it should be ruled. */
    dueAt: string;
  }>;
  overdue: Array<{
    transactionId: number;
    transactionCode: string;
    kind: (typeof unconfirmed)[number];
    dueAt: string;
  }>;
  /** Rows of the provider that may be money and cannot be booked by rule; while one is open its trade does not expire. */
  problems: Array<{
    id: number;
    code: AskProblem["code"];
    transactionId: number;
    transactionCode: string;
    providerPaymentId: string;
    seenAt: string;
    dueAt: string;
  }>;
  handConfirmations: Array<{
    transactionId: number;
    transactionCode: string;
    amount: number;
    bankReference: string;
    proposedBy: number;
    proposedAt: string;
    dueAt: string;
  }>;
  /** What went wrong without touching one trade alone. */
  chores: Chore[];
  serverTime: string;
};

/** What waits for payout, refund, ruling or a second pair of eyes. */
export async function workQueue(actor: Actor): Promise<{ ok: true; queue: WorkQueue } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = now();
  const [payouts, open, overdue, odd, proposed, others] = await Promise.all([
    payoutTasks(at),
    openDisputes(),
    overdueDeadlines(),
    providerProblems(),
    proposals(),
    chores(),
  ]);
  const queue = {
    payouts,
    disputes: open,
    overdue,
    problems: odd,
    handConfirmations: proposed,
    chores: others,
    serverTime: at.toISOString(),
  };
  return { ok: true, queue };
}

async function payoutTasks(at: Date): Promise<PayoutTask[]> {
  const rows = await payoutQueue(db(), { limit: LENGTH });
  const [of, banks, who] = await Promise.all([
    tradeRows(db(), [...new Set(rows.map((row) => row.reference))]),
    payerBanks(db(), rows),
    people(
      db(),
      rows.flatMap(({ recipientId, claimedBy }) => [recipientId ?? [], claimedBy ?? []].flat()),
    ),
  ]);
  const codes = new Map(of.map((row) => [row.id, row.code]));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    source: row.source,
    amount: row.amount,
    fee: row.fee,
    state: row.state,
    destination: row.destination,
    fourEyes: row.fourEyes || needsFourEyes(row.amount),
    approvedBy: row.approvedBy,
    referenceMissing: row.referenceMissing,
    transactionId: row.reference,
    transactionCode: codes.get(row.reference) ?? "",
    recipient:
      row.recipientId === null
        ? null
        : { id: row.recipientId, displayName: who.get(row.recipientId)?.displayName ?? "" },
    payerBanks: banks.get(row.id) ?? [],
    sender: senderOf(row, who),
    dueAt: row.dueAt.toISOString(),
    overdue: row.dueAt <= at,
  }));
}

async function openDisputes(): Promise<WorkQueue["disputes"]> {
  const rows = await db()
    .select({ dispute: disputes, code: trades.code, dueAt: deadlines.dueAt })
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
    .limit(LENGTH);
  const mediators = await mediatorsOf(
    db(),
    rows.map(({ dispute }) => dispute),
  );
  return rows.map(({ dispute, code, dueAt }, at) => ({
    transactionId: dispute.tradeId,
    transactionCode: code,
    openedBy: dispute.openedBy,
    openedAt: dispute.openedAt.toISOString(),
    mediator: mediators[at]?.displayName ?? null,
    dueAt: dueAt?.toISOString() ?? promised(dispute.openedAt, hours.dispute_ruling),
  }));
}

async function overdueDeadlines(): Promise<WorkQueue["overdue"]> {
  const rows = await db()
    .select({ deadline: deadlines, code: trades.code })
    .from(deadlines)
    .innerJoin(trades, eq(trades.id, deadlines.tradeId))
    .where(and(eq(deadlines.state, "overdue"), inArray(deadlines.kind, [...unconfirmed])))
    .orderBy(asc(deadlines.dueAt), asc(deadlines.id))
    .limit(LENGTH);
  return rows.map(({ deadline, code }) => ({
    transactionId: deadline.tradeId,
    transactionCode: code,
    kind: deadline.kind as (typeof unconfirmed)[number],
    dueAt: deadline.dueAt.toISOString(),
  }));
}

async function providerProblems(): Promise<WorkQueue["problems"]> {
  const rows = (await providerProblemsOf(db())).slice(0, LENGTH);
  const of = await tradeRows(db(), [...new Set(rows.map((row) => row.reference))]);
  const codes = new Map(of.map((row) => [row.id, row.code]));
  return rows.map(({ id, code, reference, providerPaymentId, seenAt }) => ({
    id,
    code,
    transactionId: reference,
    transactionCode: codes.get(reference) ?? "",
    providerPaymentId,
    seenAt: seenAt.toISOString(),
    dueAt: promised(seenAt, hours.payout),
  }));
}

async function proposals(): Promise<WorkQueue["handConfirmations"]> {
  const rows = await db()
    .select({ proposal: handConfirmations, code: trades.code })
    .from(handConfirmations)
    .innerJoin(trades, eq(trades.id, handConfirmations.tradeId))
    .where(isNull(handConfirmations.confirmedAt))
    .orderBy(asc(handConfirmations.proposedAt), asc(handConfirmations.id))
    .limit(LENGTH);
  return rows.map(({ proposal, code }) => ({
    transactionId: proposal.tradeId,
    transactionCode: code,
    amount: proposal.amount,
    bankReference: proposal.bankReference,
    proposedBy: proposal.proposedBy,
    proposedAt: proposal.proposedAt.toISOString(),
    dueAt: promised(proposal.proposedAt, hours.payout),
  }));
}
