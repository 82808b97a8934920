import { expect, test } from "bun:test";
import { phases } from "./phases.ts";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`a pool whose connections are cut in every phase has all of them again (seed ${seed})`, async () => {
  const { failures, counts } = await run({ seed, cuts: 400, connections: 4 });
  expect(failures).toEqual([]);
  expect(counts.cuts).toBe(400);
  for (const phase of Object.keys(phases)) expect(counts[`cut ${phase}`]).toBe(50);
  expect(counts.acknowledged).toBeGreaterThan(1_000);
  expect(counts.lost).toBeGreaterThan(1_000);
}, 240_000);
