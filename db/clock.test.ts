import { afterEach, expect, setSystemTime, test } from "bun:test";
import { sql } from "drizzle-orm";
import { useDatabase } from "../tests/support/database/test-database.ts";
import { db } from "./client.ts";
import { currentTime, setClock } from "./clock.ts";
import { followDatabaseClock } from "./startup/follow-database-clock.ts";

useDatabase();
afterEach(() => {
  setSystemTime();
});

async function differenceMs(): Promise<number> {
  const [row] = await db().execute<{ ms: number }>(
    sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
  );
  return Math.abs((row?.ms ?? 0) - currentTime().getTime());
}

test("the time is the database's, whatever this machine's clock says", async () => {
  setSystemTime(new Date(Date.now() + 6 * 3_600_000));
  const stop = await followDatabaseClock();
  expect(await differenceMs()).toBeLessThan(2_000);
  setSystemTime(new Date(Date.now() - 31 * 24 * 3_600_000));
  expect(await differenceMs()).toBeLessThan(2_000);
  stop();
});

test("it continues by itself, and a replaced clock takes precedence", async () => {
  const stop = await followDatabaseClock();
  const from = currentTime().getTime();
  await Bun.sleep(50);
  expect(currentTime().getTime() - from).toBeGreaterThanOrEqual(45);
  const still = new Date("2030-01-01T00:00:00Z");
  const restore = setClock(() => still);
  expect(currentTime()).toEqual(still);
  restore();
  expect(await differenceMs()).toBeLessThan(2_000);
  stop();
});
