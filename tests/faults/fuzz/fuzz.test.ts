import { expect, test } from "bun:test";
import { run } from "./run.ts";

/** The short form of the fuzzer: one generated request of every role for every operation, and some frames. */

test("generated requests and frames break no promise of the API", async () => {
  const { counts, failures, seed } = await run({ seed: 20_261_122, requests: 1_000, frames: 100 });
  expect(failures, `replay: FUZZ_SEED=${seed} FUZZ_REQUESTS=1000 bun run fuzz`).toEqual([]);
  expect(counts.operations).toBeGreaterThan(130);
  expect(counts.requests).toBe(8 * (counts.operations ?? 0));
  expect(counts.refused).toBeGreaterThan(500);
  expect(counts.done).toBeGreaterThan(50);
  expect(counts.frames).toBeGreaterThanOrEqual(100);
  expect(counts.looks).toBeGreaterThan(20);
}, 300_000);
