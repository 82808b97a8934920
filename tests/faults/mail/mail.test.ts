import { expect, test } from "bun:test";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`mail survives every failure of its server, and nothing waits for mail (seed ${seed})`, async () => {
  const { failures, counts } = await run({ seed, rounds: 1, outageMs: 400 });
  expect(failures).toEqual([]);
  expect(counts.people).toBe(20);
  expect(counts.queuedMeanwhile).toBeGreaterThan(0);
  expect(counts.mails).toBeGreaterThanOrEqual(20);
}, 300_000);
