import { expect, test } from "bun:test";
import { run } from "./run.ts";

/**
 * The short form of the simulator. `FAULTS_SEED`, `FAULTS_TRADE` and `FAULTS_PATH` play a failing plan again; `FAULTS_SECONDS` makes it
 * longer.
 */

// The check plays plans that are known; others are for `bun run faults`.
const seed = Number(process.env.FAULTS_SEED ?? 4_000);
const seconds = Number(process.env.FAULTS_SECONDS ?? 10);

test(`whatever people, provider and clock do at two instances, a serial order explains it (seed ${seed})`, async () => {
  const { FAULTS_PATH: path, FAULTS_TRADE } = process.env;
  const trade = FAULTS_TRADE === undefined ? undefined : Number(FAULTS_TRADE);
  const { counts, failures } = await run({
    seed,
    interleavings: Number.POSITIVE_INFINITY,
    seconds,
    path,
    trade,
  });
  console.info(counts);
  expect(failures.join("\n\n")).toBe("");
  if (path === undefined) {
    expect(counts.histories).toBeGreaterThan(0);
    expect(counts.interleavings).toBeGreaterThan(0);
  }
}, 3_600_000);
