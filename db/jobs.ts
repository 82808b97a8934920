import { sql } from "drizzle-orm";
import { fromDrizzle, type PgBoss } from "pg-boss";
import type { ZodType } from "zod";
import { acceptsAfterCommit, afterCommit, type Tx } from "./client.ts";
import { ensureDeadLetters } from "./jobs/dead-letters.ts";
import { drainQueue } from "./jobs/drain-queue.ts";
import { SCHEMA, sendingBoss, workingBoss } from "./jobs/pg-boss.ts";
import {
  DEAD_LETTERS,
  ensureQueue,
  ensureQueueOnPool,
  type JobDefinition,
  type JobOptions,
  startWorker,
} from "./jobs/queue.ts";
import { measureQueues } from "./jobs/queue-metrics.ts";
import { log } from "./log.ts";

export { type DeadJob, deadJobs, dropDeadJob, takeDeadJob } from "./jobs/dead-letters.ts";
export { DEAD_LETTERS, type JobOptions, WALK_SECONDS } from "./jobs/queue.ts";

type EnqueueOptions = {
  startAfter?: Date;
  /** While a job with this key waits, no other is added; the waiting job only moves to the earlier of the two times. */
  key?: string;
};
export type Job<T> = {
  readonly name: string;
  enqueue(tx: Tx, data: T, options?: EnqueueOptions): Promise<void>;
};
type StartOptions = { pollingSeconds?: number; work?: boolean };

const definedJobs = new Map<string, JobDefinition>();
const workerWakers = new Map<string, () => void>();
/** The creation of each queue by the running pg-boss. */
const queueCreations = new Map<string, Promise<void>>();
let runningBoss: { boss: PgBoss; options: StartOptions } | undefined;

/**
 * Defines a kind of job. Handlers run at least once, so they must be idempotent and read their rows again. A handler that throws is retried
 * with growing pauses (2 s to 5 min), then its job becomes a dead letter. Defining a name again replaces its handler. `form` is the schema
 * of the job's data: a job with other data fails before the handler and is retried, because an instance of another version may accept it.
 */
export function defineJob(name: string, handler: () => Promise<void>, options?: JobOptions): Job<unknown>;
export function defineJob<T>(
  name: string,
  form: ZodType<T>,
  handler: (data: T) => Promise<void>,
  options?: JobOptions,
): Job<T>;
export function defineJob<T>(name: string, ...parts: JobParts<T>): Job<T> {
  const job = definitionOf(name, parts);
  definedJobs.set(name, job);
  if (runningBoss !== undefined)
    beginJob(runningBoss.boss, job, runningBoss.options).catch((error) =>
      log().error({ err: error, job: name }, "a job could not be started"),
    );
  return { name, enqueue: (tx, data, how = {}) => enqueueJob(tx, job, data, how) };
}

type JobParts<T> = [() => Promise<void>, JobOptions?] | [ZodType<T>, (data: T) => Promise<void>, JobOptions?];

function definitionOf<T>(name: string, parts: JobParts<T>): JobDefinition {
  if (typeof parts[0] === "function") {
    const [handler, options = {}] = parts as [() => Promise<void>, JobOptions?];
    return { name, options, handle: () => handler() };
  }
  const [form, handler, options = {}] = parts as [ZodType<T>, (data: T) => Promise<void>, JobOptions?];
  return { name, options, handle: async (data) => handler(form.parse(data)) };
}

/**
 * Starts pg-boss on the database: a queue for each defined job, its schedule and, unless `work` is false, its workers, which poll every
 * `pollingSeconds` (2 by default, at least 0.5) and are woken when this process commits a job.
 */
export async function startJobs(databaseUrl: string, options: StartOptions = {}): Promise<void> {
  const boss = workingBoss(databaseUrl, options.work !== false);
  await boss.start();
  await ensureDeadLetters(boss);
  runningBoss = { boss, options };
  measureQueues();
  for (const job of definedJobs.values()) queueCreations.set(job.name, beginJob(boss, job, options));
  await Promise.all(queueCreations.values());
}

/**
 * Takes no more jobs; running jobs continue, and other instances take what is enqueued. Called before `stopJobs`, while requests are still
 * served.
 */
export async function stopTakingJobs(): Promise<void> {
  const resting = runningBoss?.boss;
  workerWakers.clear();
  await Promise.all([...definedJobs.keys()].map((name) => resting?.offWork(name, { wait: false })));
}

/**
 * Takes no more jobs and waits up to `patienceMs` (20 seconds by default) for running ones. Unfinished jobs are retried by another
 * instance.
 */
export async function stopJobs(patienceMs = 20_000): Promise<void> {
  const stopping = runningBoss;
  runningBoss = undefined;
  workerWakers.clear();
  queueCreations.clear();
  await stopping?.boss.stop({ graceful: true, timeout: Math.max(1_000, Math.min(patienceMs, 20_000)) });
}

async function beginJob(boss: PgBoss, job: JobDefinition, options: StartOptions): Promise<void> {
  await ensureQueue(boss, job);
  if (options.work === false) return;
  if (job.options.cron !== undefined) await boss.schedule(job.name, job.options.cron);
  const worker = await startWorker(
    boss,
    job,
    options.pollingSeconds ?? 2,
    () => definedJobs.get(job.name) ?? job,
  );
  workerWakers.set(job.name, () => boss.notifyWorker(worker));
}

async function enqueueJob(tx: Tx, job: JobDefinition, data: unknown, how: EnqueueOptions): Promise<void> {
  const boss = await ensureSender(job);
  const send = {
    db: fromDrizzle(tx, sql),
    singletonKey: how.key ?? crypto.randomUUID(),
    ...(how.startAfter === undefined ? {} : { startAfter: how.startAfter }),
  };
  // Every round either adds a job, or finds a waiting one and locks it until this transaction ends: a worker that took it before the commit
  // would not see what the job is about. If a worker takes it between the two, another round follows.
  for (let round = 0; (await boss.send(job.name, { data }, send)) === null; round++) {
    if (round > 100) throw new Error(`Job ${job.name} could not be enqueued`);
    const earliest =
      how.startAfter === undefined ? sql`now()` : sql`${how.startAfter.toISOString()}::timestamptz`;
    const waiting = await tx.execute(sql`
      UPDATE ${sql.identifier(SCHEMA)}.job SET start_after = LEAST(start_after, ${earliest})
      WHERE name = ${job.name} AND singleton_key = ${send.singletonKey} AND state = 'created' RETURNING id`);
    if (waiting.length > 0) break;
  }
  const wakeNow = workerWakers.get(job.name);
  if (wakeNow !== undefined && how.startAfter === undefined && acceptsAfterCommit(tx))
    afterCommit(tx, wakeNow);
}

/** The creation of each queue, by each pg-boss that only sends. */
const queueCreationsByBoss = new WeakMap<PgBoss, Map<string, Promise<void>>>();

/** The running pg-boss or, if none was started, one that only sends, with the job's queue created. */
async function ensureSender(job: JobDefinition): Promise<PgBoss> {
  const boss = runningBoss?.boss ?? (await sendingBoss());
  const made =
    runningBoss === undefined
      ? (queueCreationsByBoss.get(boss) ?? new Map<string, Promise<void>>())
      : queueCreations;
  if (runningBoss === undefined) queueCreationsByBoss.set(boss, made);
  const queue = made.get(job.name) ?? ensureQueueOnPool(job);
  made.set(job.name, queue);
  await queue;
  return boss;
}

/** Puts a dead letter back into its queue as a new job. If a job with the same key waits there already, nothing is added. */
export async function retryDeadJob(tx: Tx, id: string): Promise<void> {
  const boss = runningBoss?.boss ?? (await sendingBoss());
  await boss.redrive(DEAD_LETTERS, { ids: [id], db: fromDrizzle(tx, sql) });
}

/**
 * Runs every job that is due at `until` (default: now), and the jobs those enqueue, for tests and simulations without workers. A job whose
 * handler fails waits for its retry. Returns how many succeeded and failed.
 */
export async function drainJobs(until: Date = new Date()): Promise<{ done: number; failed: number }> {
  const total = { done: 0, failed: 0 };
  for (let found = true; found; ) {
    found = false;
    for (const job of definedJobs.values()) {
      const { done, failed } = await drainQueue(await ensureSender(job), job, until);
      total.done += done;
      total.failed += failed;
      found ||= done + failed > 0;
    }
  }
  return total;
}
