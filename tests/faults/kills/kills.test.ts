import { expect, test } from "bun:test";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`instances killed at random points lose and duplicate nothing (seed ${seed})`, async () => {
  const { failures, counts } = await run({
    seed,
    kills: 4,
    toTheLastJob: false,
    restarts: 1,
    lanes: 2,
    kinds: ["completed", "cancelled"],
    minutes: 2,
  });
  expect(failures).toEqual([]);
  expect(counts.kills).toBe(4);
  expect(counts.trades).toBeGreaterThanOrEqual(2);
}, 300_000);
