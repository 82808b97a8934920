import { expect, test } from "bun:test";
import { possible, run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test.skipIf(!possible)(
  `a full disk is reported, stores nothing partial, and blocks nothing else (seed ${seed})`,
  async () => {
    const { failures, counts } = await run({ seed, rounds: 2 });
    expect(failures).toEqual([]);
    expect(counts).toMatchObject({ rounds: 2, texts: 2 });
    expect(counts.refused).toBeGreaterThanOrEqual(3);
    expect((counts.refused ?? 0) + (counts.taken ?? 0)).toBe(6);
  },
  120_000,
);
