import type { Deadline, DeadlineKind, Deadlines } from "./trade-types.ts";

const hourMs = 3_600_000;

/**
 * Length of each deadline, in hours. The seller has as long to confirm as the buyer, and the buyer has as long to enter a refund account as
 * both parties have to explain a dispute.
 */
export const deadlineHours = {
  /** The payment window of a trade that has no invoice yet. */
  firstInvoice: 24,
  payment_window: 2,
  hand_over: 24,
  buyer_finish: 12,
  admin_review: 24,
  seller_finish: 12,
  payout: 3,
  refund_account: 24,
  dispute_statements: 24,
  dispute_ruling: 48,
} as const;

/** A deadline of this kind that starts now. */
export function startingDeadline(kind: DeadlineKind, now: Date, span = deadlineHours[kind]): Deadline {
  return { dueAt: new Date(now.getTime() + span * hourMs), pausedAt: null };
}

/** Adds a deadline that starts now; one of the same kind restarts. */
export function addDeadline(
  deadlines: Deadlines,
  kind: DeadlineKind,
  now: Date,
  span = deadlineHours[kind],
): Deadlines {
  return { ...deadlines, [kind]: startingDeadline(kind, now, span) };
}

/** Removes the deadlines of these kinds. */
export function removeDeadlines(deadlines: Deadlines, ...kinds: DeadlineKind[]): Deadlines {
  const left = { ...deadlines };
  for (const kind of kinds) delete left[kind];
  return left;
}

const pausableDeadlines: DeadlineKind[] = ["hand_over", "buyer_finish", "admin_review", "seller_finish"];

/** Pauses the parties' deadlines for a dispute. */
export function pauseDeadlines(deadlines: Deadlines, now: Date): Deadlines {
  return mapPausableDeadlines(deadlines, (running) => ({ ...running, pausedAt: running.pausedAt ?? now }));
}

/** Resumes the parties' deadlines after a withdrawn dispute, each with the time that was left. */
export function resumeDeadlines(deadlines: Deadlines, now: Date): Deadlines {
  return mapPausableDeadlines(deadlines, ({ dueAt, pausedAt }) => ({
    dueAt: pausedAt === null ? dueAt : new Date(dueAt.getTime() + now.getTime() - pausedAt.getTime()),
    pausedAt: null,
  }));
}

function mapPausableDeadlines(
  deadlines: Deadlines,
  change: (deadline: { dueAt: Date; pausedAt: Date | null }) => { dueAt: Date; pausedAt: Date | null },
): Deadlines {
  const next = { ...deadlines };
  for (const kind of pausableDeadlines) {
    const deadline = next[kind];
    if (deadline !== undefined) next[kind] = change(deadline);
  }
  return next;
}
