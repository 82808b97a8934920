import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { ownerDatabase, useDatabase } from "../tests/support/database/test-database.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { connectDatabase, db, disconnectDatabase, runInTransaction } from "./client.ts";
import { workingBoss } from "./jobs/pg-boss.ts";
import { startWorker } from "./jobs/queue.ts";
import { DEAD_LETTERS, deadJobs, defineJob, drainJobs, startJobs, stopJobs } from "./jobs.ts";

const database = useDatabase();
afterEach(stopJobs);

const ran: string[] = [];
const dataSchema = z.object({ name: z.string() });
const note = defineJob("test.note", dataSchema, async ({ name }) => void ran.push(name));

async function waiting(name: string): Promise<number> {
  const [row] = await db().execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM pgboss.job WHERE name = ${name} AND state = 'created'`,
  );
  return row?.count ?? 0;
}

test("a job of a rolled-back transaction never runs, that of a committed one does", async () => {
  await runInTransaction(async (tx) => {
    await note.enqueue(tx, { name: "rolled back" });
    throw new Error("no");
  }).catch(() => {});
  await runInTransaction((tx) => note.enqueue(tx, { name: "committed" }));
  expect(await waiting("test.note")).toBe(1);
  expect(await drainJobs()).toEqual({ done: 1, failed: 0 });
  expect(ran).toEqual(["committed"]);
});

test("workers start jobs immediately when this process commits them", async () => {
  ran.length = 0;
  await startJobs(database.url, { pollingSeconds: 30 });
  await Bun.sleep(300); // the worker's first poll is over; the next is half a minute away
  await runInTransaction((tx) => note.enqueue(tx, { name: "woken" }));
  await waitUntil(() => ran.includes("woken"), 3000);
});

test("a job that throws is retried, and becomes a dead letter if it always throws", async () => {
  let tries = 0;
  const flaky = defineJob("test.flaky", async () => {
    tries += 1;
    if (tries < 2) throw new Error("the first time");
  });
  const broken = defineJob("test.broken", dataSchema, () => Promise.reject(new Error("every time")), {
    retryLimit: 0,
  });
  await startJobs(database.url, { pollingSeconds: 0.5 });
  await runInTransaction(async (tx) => {
    await flaky.enqueue(tx, {});
    await broken.enqueue(tx, { name: "dead" });
  });
  await waitUntil(() => tries === 2);
  await waitUntil(async () => (await waiting(DEAD_LETTERS)) === 1);
});

test("one failing job of a batch does not affect the others", async () => {
  const good: number[] = [];
  const mix = async ({ n }: { n: number }) => {
    if (n === 3) throw new Error("three");
    good.push(n);
  };
  const mixed = defineJob("test.mixed", z.object({ n: z.int() }), mix, { retryLimit: 0 });
  await runInTransaction(async (tx) => {
    for (let n = 0; n < 6; n++) await mixed.enqueue(tx, { n });
  });
  await startJobs(database.url, { pollingSeconds: 0.5 });
  await waitUntil(() => good.length === 5);
  await Bun.sleep(700);
  expect(good.sort()).toEqual([0, 1, 2, 4, 5]);
});

test("a key adds one waiting job, and moves it to the earlier time", async () => {
  ran.length = 0;
  const later = new Date(Date.now() + 3_600_000);
  const muchLater = new Date(Date.now() + 7_200_000);
  for (const startAfter of [later, muchLater, later]) {
    await runInTransaction((tx) => note.enqueue(tx, { name: "later" }, { key: "k", startAfter }));
  }
  await runInTransaction((tx) => note.enqueue(tx, { name: "other" }, { key: "other", startAfter: later }));
  expect(await waiting("test.note")).toBe(2);
  expect((await drainJobs()).done).toBe(0);
  await runInTransaction((tx) => note.enqueue(tx, { name: "now" }, { key: "k" }));
  expect(await waiting("test.note")).toBe(2);
  expect((await drainJobs()).done).toBe(1);
  expect((await drainJobs(later)).done).toBe(1);
  expect(ran).toEqual(["later", "other"]);
});

test("a job merged into a waiting one does not run before its transaction commits", async () => {
  const seen: number[] = [];
  await ownerDatabase().execute(sql`CREATE TABLE state (value int); GRANT ALL ON state TO PUBLIC`);
  await db().execute(sql`INSERT INTO state VALUES (0)`);
  const look = defineJob("test.look", async () => {
    const [row] = await db().execute<{ value: number }>(sql`SELECT value FROM state`);
    seen.push(row?.value ?? -1);
  });
  const due = Date.now() + 3_000;
  await runInTransaction((tx) => look.enqueue(tx, {}, { key: "one", startAfter: new Date(due) }));
  await startJobs(database.url, { pollingSeconds: 0.5 });
  await runInTransaction(async (tx) => {
    await tx.execute(sql`UPDATE state SET value = 1`);
    await look.enqueue(tx, {}, { key: "one" });
    // The waiting job becomes due while this transaction is still open.
    await Bun.sleep(due + 700 - Date.now());
  });
  // If it ran early it would see 0 and would not run again.
  await waitUntil(() => seen.at(-1) === 1);
  expect(seen.at(-1)).toBe(1);
});

test("two workers share a hundred jobs and run none twice", async () => {
  const counts = new Map<number, number>();
  const shared = defineJob(
    "test.shared",
    z.object({ n: z.int() }),
    async ({ n }) => {
      counts.set(n, (counts.get(n) ?? 0) + 1);
      await Bun.sleep(5);
    },
    { batch: 7 },
  );
  await runInTransaction(async (tx) => {
    for (let n = 0; n < 100; n++) await shared.enqueue(tx, { n });
  });
  await startJobs(database.url, { pollingSeconds: 0.5 });
  const second = workingBoss(database.url, false);
  await second.start();
  const handle = (data: unknown) => {
    const { n } = data as { n: number };
    counts.set(n, (counts.get(n) ?? 0) + 1);
    return Bun.sleep(5);
  };
  const job = { name: "test.shared", options: { batch: 7 }, handle };
  await startWorker(second, job, 0.5, () => job);
  await waitUntil(() => counts.size === 100);
  await second.stop();
  await Bun.sleep(500);
  expect([...counts.values()].every((count) => count === 1)).toBe(true);
});

test("stopping waits for the running job", async () => {
  let finished = false;
  let begun = false;
  const slow = defineJob("test.slow", async () => {
    begun = true;
    await Bun.sleep(1000);
    finished = true;
  });
  await startJobs(database.url, { pollingSeconds: 0.5 });
  await runInTransaction((tx) => slow.enqueue(tx, {}));
  await waitUntil(() => begun);
  await stopJobs();
  expect(finished).toBe(true);
});

test("the job of a killed worker is retried within half a minute", async () => {
  const worker = Bun.spawn(
    [process.execPath, `${import.meta.dir}/jobs/stuck-worker.fixture.ts`, database.url],
    {
      stdout: "pipe",
    },
  );
  for await (const _ of worker.stdout) break; // the worker writes a line once it has begun the job
  worker.kill("SIGKILL");
  let back = false;
  defineJob("test.stuck", async () => {
    back = true;
  });
  const killed = Date.now();
  await startJobs(database.url, { pollingSeconds: 0.5 });
  await waitUntil(() => back, 28_000);
  console.info(`the job came back after ${Date.now() - killed} ms`);
});

test("as many transactions as the pool has connections can enqueue at once, also a new kind of job", async () => {
  const fresh = defineJob("test.fresh", async () => {});
  await disconnectDatabase();
  connectDatabase(database.url, 3);
  const together = Promise.withResolvers<void>();
  let open = 0;
  await Promise.all(
    Array.from({ length: 3 }, () =>
      runInTransaction(async (tx) => {
        if (++open === 3) together.resolve();
        await together.promise;
        await fresh.enqueue(tx, {});
      }),
    ),
  );
  expect(await waiting("test.fresh")).toBe(3);
});

test("a transaction never needs a second connection", () => {
  return expect(runInTransaction(async () => void (await db().execute(sql`SELECT 1`)))).rejects.toThrow(
    "use its tx",
  );
});

test("invalid data never reaches the job's handler, and waits for a person", async () => {
  const reached: unknown[] = [];
  const shape = z.object({ name: z.string() });
  const strict = defineJob("test.strict", shape, async (data) => void reached.push(data), { retryLimit: 0 });
  await startJobs(database.url, { work: false });
  await runInTransaction(async (tx) => {
    for (const data of [{ name: 1 }, {}, null, "text"]) await strict.enqueue(tx, data as never);
    await strict.enqueue(tx, { name: "right" });
  });
  await drainJobs();
  expect(reached).toEqual([{ name: "right" }]);
  expect((await deadJobs(db(), 100)).filter(({ name }) => name === "test.strict")).toHaveLength(4);
});
