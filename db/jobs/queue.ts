import { sql } from "drizzle-orm";
import type { Job, JobResult, PgBoss } from "pg-boss";
import { sideDb } from "../client.ts";
import { log, reasonOf } from "../log.ts";
import { createDurationHistogram } from "../metrics.ts";
import { SCHEMA } from "./pg-boss.ts";

export type JobOptions = {
  /** Five cron fields, in UTC: the handler is also run at these times, with `{}`, once over all instances. */
  cron?: string;
  /** How often a failing job is tried again before it goes to the dead letters (12: about half an hour). */
  retryLimit?: number;
  /** How many are taken, and handled side by side, at once (10). */
  batch?: number;
  /** How long one run may take (300); past it the job counts as failed and is tried again, beside the first. */
  seconds?: number;
};
export type JobDefinition = { name: string; handle: (data: unknown) => Promise<void>; options: JobOptions };

/** An hour, for a job that reads a whole table which only grows: millions of rows take longer than five minutes. */
export const WALK_SECONDS = 3_600;

/** Where a job lies that failed every time, for a person to look at. */
export const DEAD_LETTERS = "dead-letters";

/** A dead letter waits until a person has dealt with it, however long: by itself pg-boss would delete it after two weeks. */
export const deadLetterSettings = { retentionSeconds: 50 * 365 * 86_400 }; // about what its column, an int, can hold

function settingsOf({ options }: JobDefinition) {
  return {
    retryLimit: options.retryLimit ?? 12,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: options.seconds ?? 300,
    heartbeatSeconds: 10, // the least there is: so soon a killed worker is noticed
    deadLetter: DEAD_LETTERS,
  };
}

/** One waiting job a key: pg-boss has a unique index for queues of this policy. */
const queuePolicy = "short";

/** Makes the job's queue, or brings the settings of an older version's up to date. */
export async function ensureQueue(boss: PgBoss, job: JobDefinition): Promise<void> {
  await boss.createQueue(job.name, { policy: queuePolicy, ...settingsOf(job) });
  await boss.updateQueue(job.name, settingsOf(job));
}

/** The same by plain SQL on the application's pool, which may not carry the BEGIN that pg-boss would send. */
export async function ensureQueueOnPool(job: JobDefinition): Promise<void> {
  const options = JSON.stringify({ policy: queuePolicy, ...settingsOf(job) });
  const create = sql`${sql.identifier(SCHEMA)}.create_queue`;
  const dead = JSON.stringify({ policy: "standard", ...deadLetterSettings });
  await sideDb().execute(sql`SELECT ${create}(${DEAD_LETTERS}, ${dead}::jsonb)`);
  await sideDb().execute(sql`SELECT ${create}(${job.name}, ${options}::jsonb)`);
}

/** Starts a worker; each job of a batch succeeds or fails by itself. `current` answers the handler in force. */
export function startWorker(
  boss: PgBoss,
  job: JobDefinition,
  pollingSeconds: number,
  current: () => JobDefinition,
): Promise<string> {
  const options = {
    batchSize: job.options.batch ?? 10,
    pollingIntervalSeconds: Math.max(0.5, pollingSeconds),
    burstWhenBatchFull: true,
    perJobResults: true,
  } as const;
  return boss.work<{ data: unknown } | null>(job.name, options, (jobs) =>
    Promise.all(jobs.map((one) => runJob(current(), one))),
  );
}

const runDurations = createDurationHistogram({
  name: "job_seconds",
  help: "Runs of jobs, by how they ended",
  labels: ["job", "outcome"],
});

/** Runs one job; a failure is logged and told to pg-boss, which tries it again. */
export async function runJob(job: JobDefinition, one: Job<{ data: unknown } | null>): Promise<JobResult> {
  const from = performance.now();
  const ended = (outcome: string) =>
    runDurations.observe({ job: job.name, outcome }, (performance.now() - from) / 1_000);
  try {
    await job.handle(one.data?.data ?? {});
    ended("done");
    return { id: one.id, status: "completed" };
  } catch (error) {
    ended("failed");
    log().error({ job: job.name, attempt: one.retryCount + 1, ...traceOf(error) }, "job failed");
    return { id: one.id, status: "failed", output: { message: reasonOf(error) } };
  }
}

type Trace = { error: string; code?: unknown; stack?: string[] | undefined; cause?: Trace };

/** Where an error came from. Its words stay out of the log: a mail server's may carry the recipient's address. */
function traceOf(error: unknown): Trace {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...("code" in error && { code: error.code }),
    stack: frames,
    ...(error.cause !== undefined && { cause: traceOf(error.cause) }),
  };
}
