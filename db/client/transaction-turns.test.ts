import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { useDatabase } from "../../tests/support/database/test-database.ts";
import { waitUntil } from "../../tests/support/wait-until.ts";
import { connectDatabase, db, disconnectDatabase, runInTransaction } from "../client.ts";
import { metricsRegistry } from "../metrics.ts";
import { OverloadError, type Rank, runSheddable, runUnshed } from "./transaction-turns.ts";

/** In which order transactions get a connection, and which are refused. */

const database = useDatabase({ connected: false });
/** Of four connections, three take transactions. */
const TURNS = 3;

beforeAll(() => connectDatabase(database.url, 4));
afterAll(() => disconnectDatabase());

/** Releases this many of the held turns; all of them by default. */
let free: (count?: number) => Promise<void>;
beforeEach(async () => {
  let held = 0;
  const ends = Array.from({ length: TURNS }, () => Promise.withResolvers<void>());
  const holding = ends.map(({ promise }) =>
    runInTransaction(async () => {
      held += 1;
      await promise;
    }),
  );
  await waitUntil(() => held === TURNS, 5_000);
  free = async (count = TURNS) => {
    for (const { resolve } of ends.slice(0, count)) resolve();
    await Promise.all(holding.slice(0, count));
  };
});

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error) => (error instanceof OverloadError ? "refused" : String(error)),
  );

const ask = (rank: Rank, work: () => Promise<void> = async () => {}) =>
  outcomeOf(runSheddable(rank, () => runInTransaction(work)));

test("started work goes first, then money, then the rest, each in order", async () => {
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);
  const asked = [
    ask("others", note("other 1")),
    ask("others", note("other 2")),
    ask("money", note("money 1")),
    outcomeOf(runInTransaction(note("job"))),
    ask("money", note("money 2")),
  ];
  await Bun.sleep(50);
  await free(1);
  expect(await Promise.all(asked)).toEqual(["done", "done", "done", "done", "done"]);
  expect(order).toEqual(["job", "money 1", "money 2", "other 1", "other 2"]);
  await free();
});

test("a caller is refused after 1.5 seconds, before a BEGIN is sent; jobs and started work keep waiting", async () => {
  const began = performance.now();
  const waiting = [
    outcomeOf(runInTransaction(async () => {})),
    outcomeOf(runSheddable("others", () => runUnshed(() => runInTransaction(async () => {})))),
  ];
  expect(await Promise.all([ask("others"), ask("money")])).toEqual(["refused", "refused"]);
  expect(performance.now() - began).toBeWithin(1_400, 2_500);
  await free();
  expect(await Promise.all(waiting)).toEqual(["done", "done"]);
  const [row] = await db().execute<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'`);
  expect(row?.n).toBe(0);
});

test("work that has begun its first transaction is not refused at its second", async () => {
  const second = Promise.withResolvers<void>();
  await free();
  const work = outcomeOf(
    runSheddable("others", async () => {
      await runInTransaction(async () => {});
      await second.promise;
      await runInTransaction(async () => {});
    }),
  );
  let end = () => {};
  const held = Array.from({ length: TURNS }, () =>
    runInTransaction(
      () =>
        new Promise<void>((resolve) => {
          const before = end;
          end = () => {
            before();
            resolve();
          };
        }),
    ),
  );
  await Bun.sleep(50);
  second.resolve();
  expect(await Promise.race([work, Bun.sleep(2_500).then(() => "waits")])).toBe("waits");
  end();
  await Promise.all(held);
  expect(await work).toBe("done");
});

test("new callers are refused immediately if too many wait, or nothing has moved for a second", async () => {
  const waiting = Array.from({ length: TURNS * 25 }, () => ask("others"));
  const began = performance.now();
  expect(await ask("others")).toBe("refused");
  expect(performance.now() - began).toBeLessThan(200);
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => "refused"));
  const later = performance.now();
  expect(await ask("others")).toBe("refused");
  expect(performance.now() - later).toBeLessThan(200);
  const money = ask("money");
  await Bun.sleep(100);
  await free();
  expect(await money).toBe("done");
  expect(await ask("others")).toBe("done");
});

test("a transaction's slot is released however it ends, and refusals are counted", async () => {
  await free();
  for (let n = 0; n < TURNS * 3; n++) {
    await expect(
      runInTransaction(async (tx) => void (await tx.execute(sql`SELECT 1 / 0`))),
    ).rejects.toThrow();
  }
  expect(await Promise.all(Array.from({ length: TURNS * 5 }, () => ask("others")))).not.toContain("refused");
  const metrics = await metricsRegistry.getSingleMetricAsString("midman_database_transactions_shed_total");
  for (const reason of ["late", "full", "standstill"])
    expect(metrics).toMatch(new RegExp(`rank="others",reason="${reason}"\\} [1-9]`));
  expect(metrics).toMatch(/rank="money",reason="late"\} 1\n/);
});
