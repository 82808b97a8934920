import { expect, test } from "bun:test";
import { run } from "./run.ts";

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test("honest people sign in, write and pay beside ten attackers", async () => {
  const { failures, counts } = await run({ seed, pairs: 3, seconds: 10, slack: 40 });
  expect(failures).toEqual([]);
  for (const where of ["beside ten addresses", "beside one address"]) {
    expect(counts[`${where}: sign-ins`]).toBeGreaterThan(5);
    expect(counts[`${where}: payments`]).toBeGreaterThan(2);
    expect(counts[`${where}: bodies, 400`]).toBeGreaterThan(20);
    expect(counts[`${where}: guesses, 401`]).toBeGreaterThan(20);
    expect(counts[`${where}: frames`]).toBeGreaterThan(20);
    expect(counts[`${where}: slow connections open at the end`]).toBeGreaterThan(200);
  }
}, 240_000);
