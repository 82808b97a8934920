import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { ownerDatabase, useDatabase } from "../../tests/support/database/test-database.ts";
import { db } from "../client.ts";
import { recordBeat, startHeartbeat } from "./heartbeat.ts";

useDatabase();
const start = new Date("2026-01-01T00:00:00Z");
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const nothing = async () => {};
beforeEach(async () => {
  await ownerDatabase().execute(sql`DELETE FROM base.heartbeat`);
});

test("a silence of five minutes is no gap, one second more is", async () => {
  expect(await recordBeat(nothing, start)).toBe(0);
  expect(await recordBeat(nothing, after(5))).toBe(0);
  expect(await recordBeat(nothing, new Date(after(10).getTime() + 1000))).toBe(301_000);
  expect(await recordBeat(nothing, after(11))).toBe(0);
});

test("of ten instances that return at once exactly one claims the gap", async () => {
  await recordBeat(nothing, start);
  const told: number[] = [];
  const onGap = async (gap: number) => void told.push(gap);
  const claimed = await Promise.all(Array.from({ length: 10 }, () => recordBeat(onGap, after(60))));
  expect(told).toEqual([3_600_000]);
  expect(claimed.filter((gap) => gap > 0)).toEqual([3_600_000]);
});

test("a gap whose handling fails is claimed again, with no trace of the first attempt", async () => {
  await recordBeat(nothing, start);
  await ownerDatabase().execute(sql`CREATE TABLE extended (times int); GRANT ALL ON extended TO PUBLIC`);
  let fail = true;
  const onGap = async (_gap: number, _at: Date, tx: Parameters<Parameters<typeof recordBeat>[0]>[2]) => {
    await tx.execute(sql`INSERT INTO extended VALUES (1)`);
    if (fail) throw new Error("no");
  };
  await expect(recordBeat(onGap, after(30))).rejects.toThrow("no");
  await recordBeat(onGap, after(30)).catch(() => {});
  fail = false;
  expect(await recordBeat(onGap, after(31))).toBe(31 * 60_000);
  const rows = await db().execute(sql`SELECT * FROM extended`);
  expect(rows.length).toBe(1);
});

test("a clock that is behind claims nothing and undoes nothing", async () => {
  await recordBeat(nothing, after(10));
  expect(await recordBeat(nothing, start)).toBe(0);
  expect(await recordBeat(nothing, after(14))).toBe(0);
});

test("it records a heartbeat at the start", async () => {
  const stop = await startHeartbeat(nothing);
  expect((await db().execute(sql`SELECT * FROM base.heartbeat`)).length).toBe(1);
  stop();
});
