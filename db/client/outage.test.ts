import { expect, test } from "bun:test";
import { waitUntil } from "../../tests/support/wait-until.ts";
import { reasonOf } from "../log.ts";
import { Outage } from "./outage.ts";
import { OverloadError } from "./transaction-turns.ts";

/** An error as the driver throws it: the system's code with the query it was thrown for. */
const refused = () =>
  Object.assign(new Error("no"), { code: "ECONNREFUSED", query: "SELECT 1", parameters: [] });

function watched(pace = { reportMs: 200, probeMs: 10 }) {
  const said: Array<{ level: string; words: string; facts: Record<string, unknown> }> = [];
  const say = (level: string, facts: object, words: string) =>
    void said.push({ level, words, facts: { ...facts } });
  const outage = new Outage(say, reasonOf, pace);
  const state = { answers: false };
  outage.probeWith(async () => {
    if (!state.answers) throw refused();
  });
  const suppresses = (err: unknown, words: string, facts: object = {}, level = "error") =>
    outage.suppresses({
      level,
      message: words,
      facts: { ...facts, err },
      write: (told) => say(level, told, words),
    });
  return { outage, suppresses, said, state };
}

test("an outage is logged once, repeated lines are counted and summarised at intervals, and its end is logged once", async () => {
  const { suppresses, said, state } = watched();
  expect(suppresses(refused(), "jobs")).toBe(false);
  await waitUntil(() => said.length > 0, 1_000);
  expect(said).toEqual([{ level: "error", words: "the database does not answer", facts: {} }]);
  const from = performance.now();
  let held = 0;
  while (performance.now() - from < 500) {
    for (const words of ["jobs", "heartbeat"]) {
      expect(suppresses(new Error("Failed query", { cause: refused() }), words)).toBe(true);
      held += 1;
    }
    await Bun.sleep(5);
  }
  state.answers = true;
  await waitUntil(() => said.at(-1)?.words === "the database answers again", 1_000);
  const kinds = said.filter(({ words }) => words === "jobs" || words === "heartbeat");
  expect(kinds.length).toBeLessThanOrEqual(6); // two for each of two messages during the outage, and one at its end
  expect(kinds.reduce((sum, { facts }) => sum + Number(facts.times ?? 1), 0)).toBe(held);
  expect(said.at(-1)).toMatchObject({ level: "warn", facts: { lines: held } });
  expect(said.filter(({ words }) => /the database/.test(words))).toHaveLength(2);
  expect(suppresses(refused(), "jobs")).toBe(false); // the next outage is logged again
});

test("summaries keep the level of the lines, and up to five values of each fact", () => {
  const { outage, suppresses, said } = watched();
  suppresses(refused(), "payouts");
  for (let n = 1; n <= 7; n++)
    suppresses(refused(), "payouts", { payout: n, transaction: "MM-1", of: { n } }, "warn");
  suppresses(refused(), "payouts", { payout: 8 });
  outage.report();
  const [warned, failed] = said;
  expect(said).toHaveLength(2);
  expect([warned?.level, warned?.facts]).toEqual([
    "warn",
    { payout: [1, 2, 3, 4, 5], transaction: ["MM-1"], times: 7, reason: "no" },
  ]);
  // A single line is written as it was given.
  expect([failed?.level, failed?.facts.payout, failed?.facts.times]).toEqual(["error", 8, undefined]);
  expect(failed?.facts.err).toBeInstanceOf(Error);
});

test("once a probe was answered, suppressed lines are written", async () => {
  const { suppresses, said, state } = watched();
  state.answers = true;
  expect(suppresses(refused(), "a query")).toBe(false);
  expect(suppresses(refused(), "another query")).toBe(true); // until the probe has answered
  await waitUntil(() => said.length > 0, 1_000);
  expect(said).toMatchObject([{ level: "error", words: "another query" }]);
  await Bun.sleep(30);
  expect(suppresses(refused(), "a query")).toBe(false);
});

test("the end of probing writes suppressed lines, and does not claim that the database answers", async () => {
  const { outage, suppresses, said } = watched();
  suppresses(refused(), "jobs");
  await waitUntil(() => said.length > 0, 1_000);
  expect(suppresses(refused(), "jobs")).toBe(true);
  outage.probeWith(undefined);
  expect(said.map(({ words }) => words)).toEqual(["the database does not answer", "jobs"]);
  expect(suppresses(refused(), "jobs")).toBe(false);
});

test("errors of other servers, other errors and an exhausted pool are never suppressed", () => {
  const { suppresses } = watched();
  suppresses(refused(), "jobs");
  const elsewhere = Object.assign(new Error("a provider"), { code: "ECONNRESET" });
  const both = new AggregateError([refused(), elsewhere], "two things failed");
  const others = [elsewhere, new Error("asked", { cause: elsewhere }), both];
  for (const error of [...others, new Error("a fault"), new OverloadError()])
    expect([String(error), suppresses(error, "jobs")]).toEqual([String(error), false]);
  expect(suppresses(new AggregateError([refused(), refused()], "two queries failed"), "jobs")).toBe(true);
});
