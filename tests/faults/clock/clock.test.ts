import { expect, test } from "bun:test";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`a clock that jumps changes nothing (seed ${seed})`, async () => {
  const { failures, counts } = await run({ seed, jumps: 2, staysMs: 0 });
  expect(failures).toEqual([]);
  expect(counts).toMatchObject({ jumps: 2, trades: 8 });
}, 300_000);
