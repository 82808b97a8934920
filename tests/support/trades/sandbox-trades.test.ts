import { expect, spyOn, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { useDatabase } from "../database/test-database.ts";
import { createRequestedTrade, runAtTime, useSandboxProvider } from "./sandbox-trades.ts";

const started = spyOn(globalThis, "setInterval");
const stopped = spyOn(globalThis, "clearInterval");
useDatabase();
useSandboxProvider();

/** Runs what the running intervals would run next. */
function runIntervals(): void {
  const ended = new Set<unknown>(stopped.mock.calls.map(([timer]) => timer));
  for (const [n, { value: timer }] of started.mock.results.entries())
    if (!ended.has(timer)) started.mock.calls[n]?.[0]();
}

test("a file of a minute whose clock is years ahead extends no deadline", async () => {
  const { id } = await createRequestedTrade();
  await runAtTime(new Date("2040-01-01T00:00:00Z"), async () => {
    runIntervals();
    await Bun.sleep(500);
  });
  const deadlines = await db().execute(
    sql`SELECT extended_ms::float8 AS extended FROM escrow.deadlines WHERE trade_id = ${id}`,
  );
  expect([...deadlines]).toEqual([{ extended: 0 }]);
});
