import { expect, test } from "bun:test";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`while everything fails in turn, each message is stored once and seen by all (seed ${seed})`, async () => {
  const short = { rooms: 6, messages: 100, faults: 7, scale: 0.15, patience: 1_000, minutes: 3 };
  const { failures, counts } = await run({ seed, ...short });
  expect(failures).toEqual([]);
  const all = { sent: 600, acknowledged: 600, stored: 600, logged: 600 };
  expect(counts).toMatchObject({ ...all, lost: 0, doubled: 0, disordered: 0, members: 12, views: 12 });
}, 240_000);
