import { db } from "#db/client";
import { type DeadJob, deadJobs } from "#db/jobs";
import { type FailedMail, failedMails } from "#modules/mailer";
import { type Cause, openDifferences } from "#modules/payments";

/** So many of each kind of work are looked up: who has more of one begins with these. */
export const LENGTH = 100;

/** Nothing of this has a clock of the specification: it should be dealt with within a day. */
const WITHIN_HOURS = 24;

/** A difference with the provider's list, a job that failed every time, or a mail that could not be sent. */
export type Chore =
  | { kind: "difference"; id: number; day: string; cause: Cause; amount: number | null; dueAt: string }
  | { kind: "job"; id: string; name: string; reason: string; dueAt: string }
  | {
      kind: "mail";
      id: number;
      template: FailedMail["template"];
      recipient: string;
      userId: number | null;
      reason: string;
      dueAt: string;
    };

/** A moment so many hours after another, as ISO 8601. */
export function promised(from: Date, hours: number): string {
  return new Date(from.getTime() + hours * 3_600_000).toISOString();
}

/** What went wrong without touching one trade alone, each kind oldest first. */
export async function chores(): Promise<Chore[]> {
  const [differences, jobs, mails] = await Promise.all([
    openDifferences(db(), LENGTH),
    deadJobs(db(), LENGTH),
    failedMails(db(), LENGTH),
  ]);
  const due = (at: Date) => promised(at, WITHIN_HOURS);
  return [
    ...differences.map(({ id, day, cause, thereAmount, hereAmount, foundAt }): Chore => {
      return { kind: "difference", id, day, cause, amount: thereAmount ?? hereAmount, dueAt: due(foundAt) };
    }),
    ...jobs.map(({ id, name, reason, failedAt }: DeadJob): Chore => {
      return { kind: "job", id, name, reason, dueAt: due(failedAt) };
    }),
    ...mails.map(({ failedAt, ...mail }): Chore => ({ kind: "mail", ...mail, dueAt: due(failedAt) })),
  ];
}
