import { expect, test } from "bun:test";
import { phases } from "./phases.ts";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`a pool whose connections are cut in every phase recovers all of them (seed ${seed})`, async () => {
  const { failures, counts } = await run({ seed, cuts: 240, connections: 4 });
  expect(failures).toEqual([]);
  expect(counts.cuts).toBe(240);
  for (const phase of Object.keys(phases)) expect(counts[`cut ${phase}`]).toBe(30);
  expect(counts.acknowledged).toBeGreaterThan(500);
  expect(counts.lost).toBeGreaterThan(500);
}, 240_000);
