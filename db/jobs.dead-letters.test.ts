import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { tablesWith } from "../tests/support/database/all-rows.ts";
import { useDatabase } from "../tests/support/database/test-database.ts";
import { db, runInTransaction } from "./client.ts";
import { workingBoss } from "./jobs/pg-boss.ts";
import { DEAD_LETTERS, deadJobs, defineJob, drainJobs, startJobs, stopJobs, WALK_SECONDS } from "./jobs.ts";

/** How long a dead letter is kept, and which error text it keeps. */

const database = useDatabase();
afterEach(async () => {
  await stopJobs();
  await db().execute(sql`DELETE FROM pgboss.job`);
});

const dead = async () => (await deadJobs(db(), 10)).map(({ name, reason }) => `${name}: ${reason}`);

async function failing(name: string, error: unknown): Promise<void> {
  const job = defineJob(name, () => Promise.reject(error), { retryLimit: 0 });
  await runInTransaction((tx) => job.enqueue(tx, {}));
  expect(await drainJobs()).toEqual({ done: 0, failed: 1 });
}

/** Ages every job by this many days, then has pg-boss delete the expired ones. */
async function daysPass(days: number): Promise<void> {
  const by = sql`${days}::int * interval '1 day'`;
  await db().execute(sql`
    UPDATE pgboss.job SET created_on = created_on - ${by}, start_after = start_after - ${by},
      completed_on = completed_on - ${by}, keep_until = keep_until - ${by}`);
  await db().execute(sql`UPDATE pgboss.queue SET maintain_on = NULL`);
  const boss = workingBoss(database.url, false);
  await boss.start();
  await boss.supervise();
  await boss.stop();
}

async function jobs(state: string): Promise<number> {
  const [row] = await db().execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM pgboss.job WHERE state = ${state}::pgboss.job_state`,
  );
  return row?.count ?? 0;
}

test("a dead letter is kept for years for a person, while pg-boss deletes its job", async () => {
  await failing("test.patient", new Error("no"));
  await daysPass(20);
  expect(await jobs("failed")).toBe(0);
  expect(await dead()).toEqual(["test.patient: no"]);
  await daysPass(3_650);
  expect(await dead()).toEqual(["test.patient: no"]);
});

test("a start keeps what an older version would have deleted, and removes written values from its text", async () => {
  await db().execute(sql`SELECT pgboss.create_queue(${DEAD_LETTERS}, '{"policy":"standard"}'::jsonb)`);
  await db().execute(
    sql`UPDATE pgboss.queue SET retention_seconds = 14 * 24 * 3600 WHERE name = ${DEAD_LETTERS}`,
  );
  const message = "Failed query: INSERT INTO a VALUES ($1)\nparams: bat@example.mn\nand more of it";
  await db().execute(sql`
    INSERT INTO pgboss.job (name, data, source_name, source_output)
    VALUES (${DEAD_LETTERS}, '{}', 'test.older', ${JSON.stringify({ message })}::jsonb),
      (${DEAD_LETTERS}, '{}', 'test.timeless', '{"value": {"message": "job timed out"}}')`);
  await startJobs(database.url, { work: false });
  const newest = defineJob("test.newer", () => Promise.reject(new Error("no")), { retryLimit: 0 });
  await runInTransaction((tx) => newest.enqueue(tx, {}));
  await drainJobs();
  await daysPass(20);
  expect((await dead()).sort()).toEqual([
    "test.newer: no",
    "test.older: Failed query: INSERT INTO a VALUES ($1)",
    "test.timeless: job timed out",
  ]);
  expect(await tablesWith(["bat@example.mn"])).toEqual([]);
});

test("no table keeps the values of a job's failed query", async () => {
  const secret = "bat-and-his-token@example.mn";
  const write = db().execute(
    sql`INSERT INTO base.throttle (key, spent_until) VALUES (${secret}, now()), (${secret}, now())`,
  );
  const error = await write.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toContain(secret);
  await failing("test.secretive", error);
  expect((await dead())[0]).toStartWith("test.secretive: Failed query:");
  expect(await tablesWith([secret])).toEqual([]);
  await failing("test.odd", `thrown with ${secret}`);
  expect(await tablesWith([secret])).toEqual([]);
});

test("a long-running job has a time limit of its own; others have five minutes", async () => {
  defineJob("test.walk", async () => {}, { seconds: WALK_SECONDS });
  defineJob("test.quick", async () => {});
  await db().execute(sql`SELECT pgboss.create_queue('test.walk', '{"policy":"short"}'::jsonb)`);
  await startJobs(database.url, { work: false });
  const queues = await db().execute<{ name: string; seconds: number }>(sql`
    SELECT name, expire_seconds AS seconds FROM pgboss.queue WHERE name IN ('test.walk', 'test.quick') ORDER BY name`);
  expect([...queues]).toEqual([
    { name: "test.quick", seconds: 300 },
    { name: "test.walk", seconds: 3_600 },
  ]);
});
