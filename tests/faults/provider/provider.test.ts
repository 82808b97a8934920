import { expect, test } from "bun:test";
import { cases } from "./lies.ts";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`a provider that lies, repeats itself or fails moves no money that does not exist (seed ${seed})`, async () => {
  const { failures, counts } = await run({ seed, rounds: 1, outageMs: 600 });
  expect(failures).toEqual([]);
  expect(counts.trades).toBe(Object.keys(cases).length + 16);
  expect(counts.liesTold).toBeGreaterThanOrEqual(Object.keys(cases).length);
}, 300_000);
