import { expect, test } from "bun:test";
import { createTally, metricsRegistry } from "./metrics.ts";

test("counters of one name are one metric with labels, and a scrape resets nothing", async () => {
  const told = { name: "tested_total", help: "For this test", labels: ["way"] };
  const [heard, said, elsewhere] = [
    createTally(told, { way: "in" }),
    createTally(told, { way: "out" }),
    createTally(told, { way: "out" }), // as if a module were loaded twice
  ];
  const shown = async () =>
    (await metricsRegistry.metrics()).split("\n").filter((line) => line.startsWith("midman_tested_total"));
  expect(await shown()).toEqual(['midman_tested_total{way="in"} 0', 'midman_tested_total{way="out"} 0']);
  heard();
  said();
  elsewhere();
  expect(await shown()).toEqual(['midman_tested_total{way="in"} 1', 'midman_tested_total{way="out"} 2']);
  said();
  expect(await shown()).toEqual(['midman_tested_total{way="in"} 1', 'midman_tested_total{way="out"} 3']);
});
