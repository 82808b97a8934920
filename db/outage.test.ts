import { expect, test } from "bun:test";
import { until } from "../tests/support/until.ts";
import { reasonOf } from "./log.ts";
import { Outage } from "./outage.ts";
import { OverloadError } from "./turns.ts";

const refused = () => Object.assign(new Error("no"), { code: "ECONNREFUSED" });

function watched(pace = { reportMs: 200, probeMs: 10 }) {
  const said: Array<{ level: string; words: string; facts: Record<string, unknown> }> = [];
  const outage = new Outage(
    (level, facts, words) => said.push({ level, words, facts: { ...facts } }),
    reasonOf,
    pace,
  );
  const state = { answers: false };
  outage.probeWith(async () => {
    if (!state.answers) throw refused();
  });
  return { outage, said, state };
}

test("an outage is logged once, further lines are counted by message and summarised at intervals, and its end is logged once", async () => {
  const { outage, said, state } = watched();
  expect(outage.suppresses(refused(), "jobs")).toBe(false);
  await until(() => said.length > 0, 1_000);
  expect(said).toEqual([{ level: "error", words: "the database does not answer", facts: {} }]);
  const from = performance.now();
  let held = 0;
  while (performance.now() - from < 500) {
    for (const words of ["jobs", "heartbeat"]) {
      expect(outage.suppresses(new Error("Failed query", { cause: refused() }), words)).toBe(true);
      held += 1;
    }
    await Bun.sleep(5);
  }
  state.answers = true;
  await until(() => said.at(-1)?.words === "the database answers again", 1_000);
  const kinds = said.filter(({ words }) => words === "jobs" || words === "heartbeat");
  expect(kinds.length).toBeLessThanOrEqual(6); // for each of two messages: two during the outage, one at its end
  expect(kinds.reduce((sum, { facts }) => sum + Number(facts.times), 0)).toBe(held);
  expect(said.at(-1)).toMatchObject({ level: "warn", facts: { lines: held } });
  expect(said.filter(({ words }) => /the database/.test(words))).toHaveLength(2);
  expect(outage.suppresses(refused(), "jobs")).toBe(false); // the next outage is logged again
});

test("while the database answers, a refused connection to something else is logged", async () => {
  const { outage, said, state } = watched();
  state.answers = true;
  expect(outage.suppresses(refused(), "a bucket")).toBe(false);
  expect(outage.suppresses(refused(), "another bucket")).toBe(true); // until the probe has answered
  await until(() => said.length > 0, 1_000);
  expect(said).toEqual([{ level: "error", words: "another bucket", facts: { times: 1, reason: "no" } }]);
  await Bun.sleep(30);
  expect(outage.suppresses(refused(), "a bucket")).toBe(false);
});

test("other errors and an exhausted pool are never suppressed", () => {
  const { outage } = watched();
  outage.suppresses(refused(), "jobs");
  for (const error of [new Error("a fault"), new OverloadError()])
    expect(outage.suppresses(error, "jobs")).toBe(false);
});
