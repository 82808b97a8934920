/**
 * scale:simulate: how many people each step of docs/scale.md carries through an evening, by the measured costs of results.md.
 * Writes its table into docs/scale.md. The same `--seed` gives the same table.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measured } from "./scale/figures.ts";
import { evening } from "./scale/simulation.ts";
import { habits, steps } from "./scale/steps.ts";
import { table } from "./support/results.ts";

const { values } = parseArgs({ options: { seed: { type: "string", default: "1" } } });
const seed = Number(values.seed);
const limits = { busy: 0.7, p95: 100 };
const page = join(import.meta.dir, "..", "..", "docs", "scale.md");
const marks = ["<!-- scale:simulate -->", "<!-- end of scale:simulate -->"] as const;

const figures = measured();
const crowds = [1_000, 3_000, 10_000, 20_000, 30_000, 50_000, 100_000, 200_000, 400_000, 700_000, 1_000_000];
const percent = (part: number) => `${Math.round(part * 100)} %`;

const rows: string[][] = [];
const most: string[][] = [];
for (const step of steps) {
  let carried = 0;
  let first = "";
  for (const people of crowds) {
    const { busy, page: shown } = evening(people, step, figures, seed);
    const beyond = [
      ...(busy.server > limits.busy ? ["servers"] : []),
      ...(busy.database > limits.busy ? ["database"] : []),
      ...(shown.p95 > limits.p95 ? ["pages"] : []),
    ];
    // What is hopeless, or idle, is in no need of a line.
    if (busy.server > 0.1 || busy.database > 0.1) {
      const times = [shown.median, shown.p95].map((ms) => (ms > 5_000 ? "> 5,000" : ms.toFixed(0)));
      rows.push([
        step.name,
        people.toLocaleString("en-US"),
        percent(busy.server),
        percent(busy.database),
        ...times,
        beyond.join(", "),
      ]);
    }
    if (beyond.length === 0) carried = people;
    else {
      first = beyond.join(", ");
      break;
    }
  }
  most.push([step.name, carried.toLocaleString("en-US"), first]);
}

const cost = (kind: keyof typeof figures) => {
  const of = figures[kind];
  return typeof of === "number" ? `${of}` : `${of.server} + ${of.database}`;
};
const text = [
  `Seed ${seed}. CPU-µs, server + database: a message ${cost("message")}, a page ${cost("page")}, a payment ${cost("payment")}, a delivery ${cost("delivery")}.
One person in a day: ${habits.message} messages, ${habits.page} pages, ${habits.payment} payments, ${percent(habits.evening)} of them in the busiest hour. Too much load: more than ${percent(limits.busy)} busy, or a page takes more than ${limits.p95} ms (95th percentile).`,
  table(
    [
      "step",
      "people a day",
      "servers busy",
      "database busy",
      "page, ms",
      "95th percentile, ms",
      "too much for",
    ],
    rows,
  ),
  table(["step", "most people simulated without too much load", "what fails first beyond that"], most),
].join("\n\n");
const before = readFileSync(page, "utf8");
const [head = "", rest = ""] = before.split(marks[0]);
const tail = rest.split(marks[1])[1];
if (tail === undefined) throw new Error("docs/scale.md has no place for the table");
writeFileSync(page, `${head}${marks[0]}\n\n${text}\n\n${marks[1]}${tail}`);
console.log(text);
