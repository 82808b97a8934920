/**
 * Mutation testing: `bun run mutate [--only <parts of paths>] [--jobs <n>] [--within <s>] [--again] [--by <parts of paths>]`. Each change that could be made to
 * escrow's and payments' rules is made, one at a time, unless the types refuse it, and the tests of the two modules that meet it are
 * run until one fails, or until those run would have taken `--within` seconds untouched. What no test notices is written to
 * `results.json`, with its line. A file that has not changed since the last run is left out, or, with `--again`, tried where something
 * lived. While tests are being written, `--by` tries with those test files alone.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Child, startChild } from "./children.ts";
import { refusedByTypes } from "./refused.ts";
import { type Fate, type FileResult, readResults, score, writeResults } from "./results.ts";
import {
  atOnce,
  meets,
  meetsAsWhole,
  nearestFirst,
  type TestFile,
  type Trial,
  trialsOf,
  tryWhole,
} from "./tests.ts";
import { type Mutant, plant, root } from "./tree.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    jobs: { type: "string", default: "2" },
    within: { type: "string", default: "20" },
    again: { type: "boolean", default: false },
    by: { type: "string" },
  },
});
const jobs = Number(values.jobs);
const withinMs = Number(values.within) * 1_000;

/**
 * What is not tried: the sandbox and fixtures are stand-ins, schemas mirror the database, and of the doors (forms, operations, responses)
 * every reply is held against its schema by the tests that go through HTTP, not by those of the modules.
 */
const leftOut = [
  /(\.test|fixture)\.ts$/,
  /\/(schema|index|forms|form-fields|[a-z]+-types)\.ts$/,
  /\/schema\//,
  /\/sandbox\//,
  /\/(operations|routes|responses|http|exchange-operations|exchange-routes)\.ts$/,
];

async function sources(): Promise<string[]> {
  const listed = await Bun.$`git ls-files modules/escrow modules/payments`.cwd(root).text();
  return listed.split("\n").filter((path) => path.endsWith(".ts") && !leftOut.some((one) => one.test(path)));
}

async function digestOf(path: string): Promise<string> {
  return Bun.hash(await Bun.file(join(root, path)).text()).toString(16);
}

const results = readResults();
const all = await sources();
const parts = values.only.split(",");
const tree = await plant(all);
process.on("exit", () => rmSync(tree.folder, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));
const tests: TestFile[] = await meets(tree, jobs, values.by?.split(","));
const counted = new Map(
  all.map((file) => [file, tree.mutants.filter((mutant) => mutant.file === file).length]),
);

/** What is to be tried of a file; `before` is what is known of it as it stands. */
type Plan = { file: string; digest: string; before: FileResult | undefined; mutants: Mutant[] };
const plans: Plan[] = [];
for (const file of all.filter((path) => parts.some((part) => path.includes(part)))) {
  const digest = await digestOf(file);
  const before = results[file]?.digest === digest ? results[file] : undefined;
  if (before !== undefined && !values.again) continue;
  const mutants = tree.mutants.filter(
    (mutant) => mutant.file === file && (before === undefined || lived(before, mutant)),
  );
  plans.push({ file, digest, before, mutants });
}
const refused = await refusedByTypes(plans.flatMap(({ mutants }) => mutants));
const wanted = plans.flatMap(({ mutants }) => mutants.filter((mutant) => !refused.has(mutant)));

const fates = new Map<Mutant, Fate>();
const dead = (mutant: Mutant) => fates.get(mutant) === "killed" || fates.get(mutant) === "timeout";
const trials = wanted.map((mutant) => trialsOf(mutant, tests, withinMs));
for (const [at, mutant] of wanted.entries()) if ((trials[at]?.length ?? 0) > 0) fates.set(mutant, "survived");
console.info(
  `${plans.length} files, ${refused.size} mutants refused by the types, ${wanted.length} others, ${fates.size} met by a test, ${tests.length} test files`,
);

/** How often a test of a file has noticed something, by file, test and source file. */
const noticed = new Map<string, number>();
const mark = ({ file, mutant }: Trial, at: number) => `${file.path} ${at} ${mutant.file}`;

/** Tries mutants in one test file, by processes that load it once for as long as they stay sound. */
async function tryIn(file: TestFile, list: Trial[]): Promise<void> {
  let child: Child | undefined;
  const ended = async () => {
    await child?.end();
    child = undefined;
  };
  for (const trial of list) {
    const { mutant } = trial;
    if (dead(mutant)) continue;
    const often = ({ at }: { at: number }) => noticed.get(mark(trial, at)) ?? 0;
    const order = [...trial.tests].sort((a, b) => often(b) - often(a) || a.ms - b.ms);
    child ??= await startChild(tree, file.path);
    let answer = await child.ask({ mutant: mutant.id, tests: order, before: false });
    if (answer.fate === "unsure" || answer.fate === "timeout") {
      // What mutants left behind makes tests fail without any, and a busy machine makes them late: in a process of its own, after the
      // test has passed there without it, the mutant shows whose fault it is.
      await ended();
      child = await startChild(tree, file.path);
      const suspects = answer.at === undefined ? order : order.filter(({ at }) => at === answer.at);
      answer = await child.ask({ mutant: mutant.id, tests: suspects, before: true });
      await ended();
    }
    if (answer.fate === "killed" || answer.fate === "timeout") fates.set(mutant, answer.fate);
    if (answer.at !== undefined) noticed.set(mark(trial, answer.at), often({ at: answer.at }) + 1);
  }
  await ended();
}

async function pass(list: Trial[]): Promise<void> {
  const byFile = [
    ...Map.groupBy(
      list.filter(({ mutant }) => !dead(mutant)),
      ({ file }) => file,
    ),
  ];
  byFile.sort(([, a], [, b]) => b.length - a.length);
  await atOnce(jobs, byFile, async ([file, trialsHere]) => {
    await tryIn(file, trialsHere);
    console.info(
      `${file.path}: ${trialsHere.length} tried, ${[...fates.keys()].filter(dead).length} noticed by now`,
    );
  });
}

// Each mutant in the nearest test file first: most end there.
await pass(trials.flatMap((list) => list.slice(0, 1)));
await pass(trials.flatMap((list) => list.slice(1)));

// Met while a file is loaded, or only by tests that need those before them: tried by the whole file, the mutant awake from the start.
const whole = wanted.flatMap((mutant) => {
  const files = dead(mutant) ? [] : tests.filter((file) => meetsAsWhole(file, mutant));
  return files.length === 0 ? [] : [{ mutant, files: nearestFirst(mutant, files) }];
});
console.info(`${whole.length} are tried by whole files`);
await atOnce(jobs, whole, async ({ mutant, files }) => {
  let left = withinMs;
  const within = files.filter(({ ms }) => {
    left -= ms;
    return left + ms > 0;
  });
  fates.set(mutant, await tryWhole(tree, mutant, within));
});

for (const { file, digest, before, mutants } of plans) {
  const count = (fate: Fate) => mutants.filter((mutant) => fates.get(mutant) === fate).length;
  const alive = mutants.flatMap((mutant) => {
    const { line, mutator, was, becomes } = mutant;
    return dead(mutant) || refused.has(mutant)
      ? []
      : [
          {
            line,
            mutator,
            was,
            becomes,
            fate: fates.has(mutant) ? ("survived" as const) : ("uncovered" as const),
          },
        ];
  });
  results[file] = {
    digest,
    refused: (before?.refused ?? 0) + mutants.filter((mutant) => refused.has(mutant)).length,
    killed: (before?.killed ?? 0) + count("killed"),
    timeout: (before?.timeout ?? 0) + count("timeout"),
    alive,
  };
}
writeResults(results, counted);
for (const { file } of plans) {
  for (const { line, was, becomes, fate } of results[file]?.alive ?? [])
    console.info(`${file}:${line} ${fate}: ${was} → ${becomes}`);
}
const found = score(Object.entries(results).filter(([file]) => plans.some((plan) => plan.file === file)));
console.info(`${found.dead} of ${found.tried} mutants noticed: ${found.percent} %`);

function lived({ alive }: FileResult, { line, mutator, was, becomes }: Mutant): boolean {
  return alive.some(
    (one) => one.line === line && one.mutator === mutator && one.was === was && one.becomes === becomes,
  );
}
