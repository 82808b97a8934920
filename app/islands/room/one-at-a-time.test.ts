import { expect, test } from "bun:test";
import { oneAtATime } from "./one-at-a-time.ts";

test("many requests at once cause one run now and one more after it, and all wait for the last", async () => {
  let under = 0;
  let most = 0;
  let runs = 0;
  const ask = oneAtATime(async () => {
    most = Math.max(most, ++under);
    await Bun.sleep(5);
    under--;
    runs++;
  });
  await Promise.all(Array.from({ length: 10 }, ask));
  expect({ most, runs }).toEqual({ most: 1, runs: 2 });
  await ask();
  expect(runs).toBe(3);
});

test("a run that fails does not keep the next one from starting", async () => {
  let tries = 0;
  const ask = oneAtATime(async () => {
    if (++tries === 1) throw new Error("no network");
  });
  await expect(ask()).rejects.toThrow("no network");
  await ask();
  expect(tries).toBe(2);
});
