import { expect, test } from "bun:test";
import { runInTransaction } from "#db/client";
import { metricsRegistry } from "#db/metrics";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { recordAuditEntry } from "../entries/record-entry.ts";
import { measureLog } from "./metrics.ts";

useDatabase();

test("the newest backup and drill are reported with age and size", async () => {
  const enter = (action: "backup_made" | "backup_drilled", at: Date, data: object) =>
    runInTransaction((tx) => recordAuditEntry(tx, { by: { userId: null }, action, at, data: { ...data } }));
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  await enter("backup_made", ago(9_000), { takenAt: ago(9_100).toISOString(), bytes: 1 });
  await enter("backup_made", ago(3_600), { takenAt: ago(3_700).toISOString(), bytes: 42_000_000 });
  await enter("backup_drilled", ago(600), { digest: "x", seconds: 3 });
  measureLog();
  const lines = (await metricsRegistry.metrics()).split("\n");
  const figure = (name: string) =>
    Number(lines.find((line) => line.startsWith(`midman_${name} `))?.split(" ")[1]);
  expect(figure("backup_bytes")).toBe(42_000_000);
  expect(Math.abs(figure("backup_age_seconds") - 3_700)).toBeLessThan(60);
  expect(Math.abs(figure("backup_drill_age_seconds") - 600)).toBeLessThan(60);
});
