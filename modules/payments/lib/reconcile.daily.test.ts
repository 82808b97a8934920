import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { daysAfter } from "#format";
import { useDatabase } from "../../../tests/support/database.ts";
import { first } from "./money.fixture.ts";
import { useSandbox } from "./provider.fixture.ts";
import { reconcileDue } from "./reconcile.daily.ts";
import { reconciliations } from "./reconcile.list.ts";
import { reconcile } from "./reconcile.ts";

useDatabase();
const sandbox = useSandbox();

const day = "2026-03-01";
const on = (after: number) => daysAfter(day, after);
const at = (after: number, clock: string) => new Date(`${on(after)}T${clock}:00+08:00`);
const morning = (after: number) => reconcileDue(at(after, "07:10"));

beforeEach(async () => {
  await db().execute(sql`TRUNCATE payments.reconciliation_runs, payments.reconciliation_tasks`);
});

async function byHand(after: number, when: Date): Promise<void> {
  const done = await reconcile({ day: on(after), at: when, by: first });
  if (!done.ok) throw new Error(done.code);
}

/** The days that the job itself has compared, in its order. */
async function compared(): Promise<string[]> {
  const rows = await reconciliations(db(), { limit: 100 });
  return rows.flatMap((row) => (row.begunBy === null && row.failure === null ? [row.day] : [])).reverse();
}

describe("every morning", () => {
  test("the day before is compared, once", async () => {
    await morning(1);
    expect(await compared()).toEqual([day]);
    await morning(1);
    expect(await compared()).toEqual([day]);
    await morning(2);
    expect(await compared()).toEqual([day, on(1)]);
  });

  test("the mornings that were missed are made good, seven days at most", async () => {
    await morning(1);
    await morning(5);
    expect(await compared()).toEqual([0, 1, 2, 3, 4].map(on));
    await morning(30);
    expect((await compared()).slice(5)).toEqual([23, 24, 25, 26, 27, 28, 29].map(on));
  });

  test("a comparison by hand passes over no day that was missed, and is not done again", async () => {
    await morning(1);
    await byHand(3, at(4, "06:00"));
    await morning(5);
    expect(await compared()).toEqual([0, 1, 2, 4].map(on));
  });

  test("a comparison by hand of a day that was not over leaves the whole of it to be compared", async () => {
    await morning(1);
    await byHand(1, at(1, "23:00"));
    await morning(2);
    expect(await compared()).toEqual([day, on(1)]);
  });

  test("a provider that does not answer is asked again, from the first morning on", async () => {
    await sandbox.told({ operation: "list", fail: 500, nextCalls: "all" });
    await expect(morning(1)).rejects.toThrow("could not be compared");
    await sandbox.told({ reset: true });
    await morning(3);
    expect(await compared()).toEqual([day, on(1), on(2)]);
  });
});
