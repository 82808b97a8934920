import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import type { AuditAction } from "#locales";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { listEntries, recordAuditEntry } from "../../index.ts";

useDatabase();
const at = new Date("2026-03-01T10:00:00.123Z");

beforeAll(async () => {
  await runInTransaction((tx) =>
    recordAuditEntry(tx, {
      by: { userId: 7, ip: "203.0.113.9", device: "Phone\u0000 of \ud800 Bat" },
      action: "login",
      at,
      roomId: 3,
      subject: { kind: "trade", id: 12 },
      data: { amount: 5000, note: "a\u0000b\ud800", when: at, big: 12n },
    }),
  );
});

test("an entry is stored as it was recorded, without what Postgres cannot store", async () => {
  const { entries } = await listEntries({ userId: 7 });
  expect(entries).toEqual([
    {
      id: expect.any(Number),
      at,
      userId: 7,
      action: "login",
      roomId: 3,
      subject: { kind: "trade", id: "12" },
      data: { amount: 5000, note: "ab\ufffd", when: at.toISOString(), big: "12" },
      ip: "203.0.113.9",
      device: "Phone of \ufffd Bat",
    },
  ]);
});

test("many entries written at once keep their order", async () => {
  const before = await rowsThere();
  await runInTransaction((tx) =>
    recordAuditEntry(
      tx,
      Array.from({ length: 500 }, (_, i) => ({ by: { userId: 8 }, action: "message_sent", at, data: { i } })),
    ),
  );
  expect((await rowsThere()) - before).toBe(500);
  const { entries } = await listEntries({ userId: 8, limit: 500 });
  expect(entries.map((entry) => entry.data.i)).toEqual(Array.from({ length: 500 }, (_, i) => 499 - i));
});

test("recording an empty list writes nothing", async () => {
  const before = await rowsThere();
  await runInTransaction((tx) => recordAuditEntry(tx, []));
  expect(await rowsThere()).toBe(before);
});

test("an entry of a rolled-back transaction does not exist", async () => {
  const rolledBack = runInTransaction(async (tx) => {
    await recordAuditEntry(tx, { by: { userId: 9, ip: "198.51.100.1" }, action: "login", at });
    throw new Error("no");
  });
  await expect(rolledBack).rejects.toThrow("no");
  expect((await listEntries({ userId: 9 })).entries).toEqual([]);
});

test("an unknown address and device leave no trace", async () => {
  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId: 10, ip: " ", device: null }, action: "login", at }),
  );
  const [row] = await db().execute(sql`
    SELECT trace, (SELECT count(*)::int FROM audit.traces WHERE entry_id = id) AS traces
    FROM audit.entries WHERE user_id = 10`);
  expect(row).toEqual({ trace: null, traces: 0 });
});

test("an entry whose action is not a plain word is refused", async () => {
  const odd = runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId: 1 }, action: "Log in!" as AuditAction, at }),
  );
  await expect(odd).rejects.toThrow();
});

for (const statement of [
  "UPDATE audit.entries SET action = 'logout'",
  "DELETE FROM audit.entries",
  "TRUNCATE audit.entries CASCADE",
  "UPDATE audit.traces SET ip = '10.0.0.1'",
]) {
  test(`refused: ${statement}`, async () => {
    const cause = await ownerDatabase()
      .execute(sql.raw(statement))
      .then(
        () => null,
        (error: Error) => error.cause,
      );
    expect(String(cause)).toMatch(/append-only: (UPDATE|DELETE|TRUNCATE) refused/);
  });
}

async function rowsThere(): Promise<number> {
  const [row] = await db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM audit.entries`);
  return row?.n ?? 0;
}
