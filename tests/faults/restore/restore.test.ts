import { expect, test } from "bun:test";
import { expectMatch } from "../../support/expect-match.ts";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`backed up under load, deleted and restored, everything is as it was (seed ${seed})`, async () => {
  const { failures, counts } = await run({ seed, trades: 2 });
  expect(failures).toEqual([]);
  expectMatch(counts, { trades: 2, files: expect.any(Number) });
  expect(counts.files).toBeGreaterThanOrEqual(4);
  expect(counts["received, ₮"]).toBeGreaterThanOrEqual(220_000);
}, 180_000);
