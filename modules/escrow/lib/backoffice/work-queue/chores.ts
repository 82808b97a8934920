import { db } from "#db/client";
import { type DeadJob, deadJobs } from "#db/jobs";
import { failedMails } from "#modules/mailer";
import { openDifferences } from "#modules/payments";
import type { Chore } from "../treasury/responses.ts";

/** How many items of each kind of work are shown. One more is read, so that the queue can say that there are more. */
export const LENGTH = 100;

/** This work has no promised deadline; it should be resolved within a day. */
export const WITHIN_HOURS = 24;

/** The moment `hours` after `from`, in ISO 8601. */
export function calculateDueAt(from: Date, hours: number): string {
  return new Date(from.getTime() + hours * 3_600_000).toISOString();
}

/** Problems that do not concern one trade alone, by kind, oldest first: up to LENGTH of each kind and one more. */
export async function listChores(): Promise<Record<Chore["kind"], Chore[]>> {
  const [difference, job, mail] = await Promise.all([
    openDifferences(db(), LENGTH + 1),
    deadJobs(db(), LENGTH + 1),
    failedMails(db(), LENGTH + 1),
  ]);
  const due = (at: Date) => calculateDueAt(at, WITHIN_HOURS);
  return {
    difference: difference.map(({ id, day, cause, thereAmount, hereAmount, foundAt }) => {
      return { kind: "difference", id, day, cause, amount: thereAmount ?? hereAmount, dueAt: due(foundAt) };
    }),
    job: job.map(({ id, name, reason, failedAt }: DeadJob) => {
      return { kind: "job", id, name, reason, dueAt: due(failedAt) };
    }),
    mail: mail.map(({ failedAt, ...one }) => ({ kind: "mail", ...one, dueAt: due(failedAt) })),
  };
}
