import { expect, test } from "bun:test";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`what was acknowledged while the pool was exhausted and cut is stored once, in order (seed ${seed})`, async () => {
  const short = { rooms: 40, traders: 2, seconds: 25, connections: 4, scale: 0.4, drainSeconds: 60 };
  const { failures, counts } = await run({ seed, ...short });
  expect(failures).toEqual([]);
  expect(counts).toMatchObject({ lost: 0, doubled: 0, disordered: 0, members: 80, views: 80 });
  expect(counts.acknowledged).toBeGreaterThan(200);
  expect(counts.refusedBySocket).toBeGreaterThan(0);
  expect(counts.paidTrades).toBeGreaterThan(0);
}, 240_000);
