import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { useDatabase } from "../tests/support/database/test-database.ts";
import { afterCommit, db, runInTransaction } from "./client.ts";

useDatabase();

test("each test file has its own migrated database", async () => {
  const rows = await db().execute<{ name: string }>(sql`SELECT current_database() AS name`);
  expect(rows[0]?.name).toStartWith("test_");
});

test("Cyrillic is lowercased, so names compare without regard to case", async () => {
  const rows = await db().execute<{ low: string }>(sql`SELECT lower('ӨҮЛЗИЙ') AS low`);
  expect(rows[0]?.low).toBe("өүлзий");
});

test("a hint is sent after the commit, in order, and never after a rollback", async () => {
  const ran: string[] = [];
  await runInTransaction(async (tx) => {
    afterCommit(tx, () => void ran.push("first"));
    afterCommit(tx, () => void ran.push("second"));
    expect(ran).toEqual([]);
  });
  expect(ran).toEqual(["first", "second"]);
  const failed = runInTransaction(async (tx) => {
    afterCommit(tx, () => void ran.push("never"));
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  await failed.catch(() => {});
  expect(ran).toEqual(["first", "second"]);
});
