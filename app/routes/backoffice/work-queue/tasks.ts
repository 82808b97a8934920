import { type WorkKind, workKinds } from "#forms/escrow";
import type { Chore, WorkQueue } from "#views/escrow";
import { paths } from "../../../paths.ts";

/** One task: what it is, its deadline, and the page where it is done. */
export type Task = {
  kind: WorkKind;
  id: number | string;
  /** ISO 8601. */
  dueAt: string;
  overdue: boolean;
  /** The page where it is done; null if it is done in the list itself. */
  to: string | null;
  code?: string;
  /** In whole ₮. */
  amount?: number | undefined;
  /** A name or address: for a dispute its mediator, for a manual payment or settlement its proposer. */
  who?: string | undefined;
  /** Who has claimed the transfer, and since when. */
  sender?: { displayName: string; since: string } | undefined;
  /** Keys of the catalogues for the task's state, and for its warnings. */
  notes: string[];
  warnings: string[];
  /** A program's own message. */
  reason?: string;
};

const deadlineOf = (dueAt: string, now: string) => ({ dueAt, overdue: dueAt <= now });

/** Returns every task in one list: alarms first, then the earliest deadline first. */
export function tasksOf(queue: WorkQueue): Task[] {
  const now = queue.serverTime;
  const tasks: Task[] = [
    ...queue.payouts.map((one) => payoutTask(one, now)),
    ...queue.disputes.map((one) => disputeTask(one, now)),
    ...queue.overdue.map(({ transactionId, transactionCode: code, kind, dueAt }) => ({
      kind: "unconfirmed" as const,
      id: `${transactionId}-${kind}`,
      ...{ code, to: paths.adminTransaction(transactionId), ...deadlineOf(dueAt, now) },
      notes: [`admin.work.late.${kind}`],
      warnings: [],
    })),
    ...queue.holds.map(({ transactionId, transactionCode: code, reasons, secondNeeded, dueAt }) => ({
      ...{ kind: "hold" as const, id: transactionId, code, to: paths.adminHolds(transactionId) },
      ...deadlineOf(dueAt, now),
      notes: reasons.map((reason) => `admin.hold.reason.${reason}`),
      warnings: secondNeeded ? ["admin.work.secondNeeded"] : [],
    })),
    ...queue.handConfirmations.map(({ transactionId, transactionCode: code, proposal, dueAt }) => ({
      ...{ kind: "byHand" as const, id: transactionId, code, to: paths.adminByHand(transactionId) },
      who: proposal.by,
      ...deadlineOf(dueAt, now),
      notes: ["admin.work.secondNeeded"],
      warnings: proposal.obstacle === null ? [] : [`admin.work.cannot.${proposal.obstacle}`],
    })),
    ...queue.settlements.map(({ proposal, dueAt }) => ({
      ...{ kind: "settlement" as const, id: proposal.id, to: paths.adminSettlements },
      who: proposal.by,
      ...deadlineOf(dueAt, now),
      notes: ["admin.work.secondNeeded"],
      warnings: proposal.obstacle === null ? [] : [`admin.work.cannot.${proposal.obstacle}`],
    })),
    ...queue.restrictions.map(({ userId, username, kind, proposedBy, dueAt }) => ({
      ...{ kind: "restriction" as const, id: userId, to: paths.adminUser(userId) },
      who: `@${username}, ${proposedBy}`,
      ...deadlineOf(dueAt, now),
      notes: [`admin.restrict.kinds.${kind}`],
      warnings: ["admin.work.secondNeeded"],
    })),
    ...queue.reports.map(({ id, number, happened, held, transactionCode, dueAt }) => ({
      ...{ kind: "report" as const, id, to: paths.adminReport(id), who: number },
      ...(transactionCode !== null && { code: transactionCode }),
      ...deadlineOf(dueAt, now),
      notes: [`report.happened.${happened}`],
      warnings: held ? ["admin.work.onHold"] : [],
    })),
    ...queue.chores.map((chore) => choreTask(chore, now)),
  ];
  return [
    ...queue.alarms.map((one) => alarmTask(one, now)),
    ...tasks.sort((a, b) => a.dueAt.localeCompare(b.dueAt)),
  ];
}

/**
 * A party's answer to the mediator and a ruling that waits for a second administrator are shown as warnings beside who opened the dispute.
 */
function disputeTask(one: WorkQueue["disputes"][number], now: string): Task {
  const { transactionId, transactionCode: code, openedBy, mediator, answered, proposed, dueAt } = one;
  const obstacle = proposed?.obstacle ?? null;
  return {
    ...{ kind: "dispute", id: transactionId, code, to: paths.adminDispute(transactionId) },
    who: mediator ?? undefined,
    ...deadlineOf(dueAt, now),
    notes: [`admin.work.openedBy.${openedBy}`],
    warnings: [
      ...(mediator === null ? ["admin.dispute.nobody"] : []),
      ...(answered === null ? [] : [`admin.work.answered.${answered.by}`]),
      ...(proposed === null ? [] : ["admin.work.secondNeeded"]),
      ...(obstacle === null ? [] : [`admin.work.cannot.${obstacle}`]),
    ],
  };
}

/** Alarms come first and are due at once: until they are resolved, the ledger or the log cannot be relied on. */
function alarmTask({ of, state, since }: WorkQueue["alarms"][number], now: string): Task {
  return {
    ...{ kind: "alarm", id: `${of}-${state}`, ...deadlineOf(since, now) },
    to: of === "ledger" ? paths.adminLedger : paths.adminChain,
    notes: [],
    warnings: [alarmWords[of][state]],
  };
}

const alarmWords = {
  ledger: { broken: "admin.work.alarm.ledger.broken", missing: "admin.work.alarm.ledger.missing" },
  log: { broken: "admin.work.alarm.log.broken", missing: "admin.work.alarm.log.missing" },
  anchor: { broken: "admin.work.alarm.anchor.missing", missing: "admin.work.alarm.anchor.missing" },
} as const;

function payoutTask(one: WorkQueue["payouts"][number], now: string): Task {
  const { id, source, state, destination, referenceMissing, fourEyes, onHold } = one;
  const warnings = [
    destination === null && "admin.noDestination",
    referenceMissing && "admin.referenceMissing",
    state === "unknown" && "admin.work.inDoubt",
    onHold && (state === "due" || state === "approved") && "admin.work.onHold",
  ];
  return {
    kind: source === "escrow" ? one.kind : "suspense",
    id,
    ...deadlineOf(one.dueAt, now),
    to: paths.adminPayout(id),
    code: one.transactionCode,
    amount: one.amount,
    who: one.recipient?.displayName,
    sender: one.sender ?? undefined,
    // The clock shows that it is due, and the warning shows that it is in doubt, so neither has a note.
    notes: [
      ...(state === "approved" || state === "sent" ? [`admin.state.${state}`] : []),
      ...(fourEyes ? ["admin.work.twoPeople"] : []),
    ],
    warnings: warnings.filter((key) => key !== false),
  };
}

function choreTask(chore: Chore, now: string): Task {
  const when = deadlineOf(chore.dueAt, now);
  if (chore.kind === "difference") {
    const { id, day, cause, amount } = chore;
    const notes = [`admin.recon.cause.${cause}.title`];
    const to = paths.adminReconciliationOf(day);
    return {
      kind: "difference",
      id,
      ...when,
      to,
      who: day,
      amount: amount ?? undefined,
      notes,
      warnings: [],
    };
  }
  if (chore.kind === "job") {
    const { id, name, reason } = chore;
    return { kind: "job", id, ...when, to: null, who: name, notes: [], warnings: [], reason };
  }
  const { id, template, recipient, userId, reason } = chore;
  const to = userId === null ? null : paths.adminUser(userId);
  const notes = [`admin.work.mail.${template}`];
  return { kind: "mail", id, ...when, to, who: recipient, notes, warnings: [], reason };
}

/** The number of tasks of each kind; `more` if the queue returned only the first hundred. */
export function countsOf(
  tasks: readonly Task[],
  more: readonly WorkKind[],
): Array<{ kind: WorkKind; total: number; more: boolean }> {
  return workKinds.map((kind) => ({
    kind,
    total: tasks.filter((task) => task.kind === kind).length,
    more: more.includes(kind),
  }));
}
