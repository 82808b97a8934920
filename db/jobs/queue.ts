import { sql } from "drizzle-orm";
import type { Job, JobResult, PgBoss } from "pg-boss";
import { sideDb } from "../client.ts";
import { log, reasonOf } from "../log.ts";
import { createDurationHistogram } from "../metrics.ts";
import { SCHEMA } from "./pg-boss.ts";

export type JobOptions = {
  /** Five cron fields, in UTC: the handler also runs at these times, with `{}`, once across all instances. */
  cron?: string;
  /** How often a failing job is retried before it becomes a dead letter (12 by default: about half an hour). */
  retryLimit?: number;
  /** How many jobs are taken and handled concurrently (10 by default). */
  batch?: number;
  /**
   * How many seconds one run may take (300 by default); after that the job counts as failed and is retried while the first run may
   * continue.
   */
  seconds?: number;
};
export type JobDefinition = { name: string; handle: (data: unknown) => Promise<void>; options: JobOptions };

/** One hour, for a job that reads a whole growing table: millions of rows take longer than five minutes. */
export const WALK_SECONDS = 3_600;

/** The queue of jobs whose every retry failed, for a person to look at. */
export const DEAD_LETTERS = "dead-letters";

/** A dead letter waits until a person has dealt with it; by default pg-boss would delete it after two weeks. */
export const deadLetterSettings = { retentionSeconds: 50 * 365 * 86_400 }; // about the most that the column, an int, can hold

function settingsOf({ options }: JobDefinition) {
  return {
    retryLimit: options.retryLimit ?? 12,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: options.seconds ?? 300,
    heartbeatSeconds: 10, // the minimum; a killed worker is noticed this soon
    deadLetter: DEAD_LETTERS,
  };
}

/** One waiting job per key: pg-boss has a unique index for queues with this policy. */
const queuePolicy = "short";

/** Creates the job's queue, or updates the settings of an existing one. */
export async function ensureQueue(boss: PgBoss, job: JobDefinition): Promise<void> {
  await boss.createQueue(job.name, { policy: queuePolicy, ...settingsOf(job) });
  await boss.updateQueue(job.name, settingsOf(job));
}

/** The same in plain SQL on the application's pool, which does not accept the BEGIN that pg-boss would send. */
export async function ensureQueueOnPool(job: JobDefinition): Promise<void> {
  const options = JSON.stringify({ policy: queuePolicy, ...settingsOf(job) });
  const create = sql`${sql.identifier(SCHEMA)}.create_queue`;
  const dead = JSON.stringify({ policy: "standard", ...deadLetterSettings });
  await sideDb().execute(sql`SELECT ${create}(${DEAD_LETTERS}, ${dead}::jsonb)`);
  await sideDb().execute(sql`SELECT ${create}(${job.name}, ${options}::jsonb)`);
}

/** Starts a worker; the jobs of a batch succeed or fail independently. `current` returns the current handler. */
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
  help: "Runs of jobs, by outcome",
  labels: ["job", "outcome"],
});

/** Runs one job. A failure is logged and reported to pg-boss, which retries it. */
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

/** The stack of an error without its message, which may contain personal data: a mail server's may quote the recipient's address. */
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
