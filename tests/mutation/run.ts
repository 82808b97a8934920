/**
 * Mutation testing: `bun run mutate [--only <parts of paths>] [--minutes <n>] [--jobs <n>] [--within <s>]`. Each change that could be
 * made to escrow's and payments' rules is made, one at a time, and the tests of the two modules that meet it are run until one
 * fails, or until those run would have taken `--within` seconds untouched. What no test notices is written to `results.json`, with its
 * line. A file that has not changed since the last run is tried again only where something lived, and with `--new` not at all.
 * Stops by itself after the given minutes and goes on from there the next time.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Fate, type FileResult, readResults, score, writeResults } from "./results.ts";
import { meets, type TestFile, tryMutant } from "./tests.ts";
import { type Mutant, plant, root } from "./tree.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    minutes: { type: "string", default: "600" },
    jobs: { type: "string", default: "2" },
    within: { type: "string", default: "600" },
    new: { type: "boolean", default: false },
  },
});
const until = Date.now() + Number(values.minutes) * 60_000;

/**
 * What is not tried: the sandbox and fixtures are stand-ins, schemas mirror the database, and of the doors (forms, calls, answers)
 * every reply is held against its schema by the tests that go through HTTP, not by those of the modules.
 */
const leftOut = [
  /(\.test|fixture)\.ts$/,
  /\/(schema\b[^/]*|types|index|forms)\.ts$/,
  /\/(sandbox|answers)\//,
  /\/(calls|http)\b[^/]*\.ts$/,
];

async function sources(): Promise<string[]> {
  const listed = await Bun.$`git ls-files modules/escrow modules/payments`.cwd(root).text();
  return listed.split("\n").filter((path) => path.endsWith(".ts") && !leftOut.some((one) => one.test(path)));
}

async function digestOf(path: string): Promise<string> {
  return Bun.hash(await Bun.file(join(root, path)).text()).toString(16);
}

/** Runs `work` over the items, so many at once, until the time is over. */
async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let item = items.shift(); item !== undefined && Date.now() < until; item = items.shift())
      await work(item);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
}

const results = readResults();
const all = await sources();
const parts = values.only.split(",");
const files = all.filter((path) => parts.some((part) => path.includes(part)));
const tree = await plant(all);
process.on("exit", () => rmSync(tree.folder, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
const tests: TestFile[] = await meets(tree, Number(values.jobs));
const counted = new Map(
  all.map((file) => [file, tree.mutants.filter((mutant) => mutant.file === file).length]),
);
const wanted = tree.mutants.filter(({ file }) => files.includes(file));
console.info(`${files.length} files, ${wanted.length} mutants, ${tests.length} test files`);

async function tryFile(file: string): Promise<void> {
  const digest = await digestOf(file);
  const before = results[file]?.digest === digest ? results[file] : undefined;
  if (before !== undefined && values.new) return;
  const mutants = wanted.filter(
    (mutant) => mutant.file === file && (before === undefined || lived(before, mutant)),
  );
  const fates = new Map<Mutant, Fate>();
  for (const mutant of mutants) {
    if (Date.now() > until) return;
    fates.set(mutant, await tryMutant(tree, mutant, tests, Number(values.within) * 1_000));
  }
  const count = (fate: Fate) => [...fates.values()].filter((one) => one === fate).length;
  const result: FileResult = {
    digest,
    killed: (before?.killed ?? 0) + count("killed"),
    timeout: (before?.timeout ?? 0) + count("timeout"),
    alive: [...fates].flatMap(([{ id: _, file: __, ...mutant }, fate]) =>
      fate === "survived" || fate === "uncovered" ? [{ ...mutant, fate }] : [],
    ),
  };
  results[file] = result;
  writeResults(results, counted);
  const { dead, tried, percent } = score([[file, result]]);
  console.info(`${file}: ${dead} of ${tried} (${percent} %)`);
}

function lived({ alive }: FileResult, { line, mutator, was, becomes }: Mutant): boolean {
  return alive.some(
    (one) => one.line === line && one.mutator === mutator && one.was === was && one.becomes === becomes,
  );
}

await inParallel([...files], tryFile);
const { dead, tried, percent } = score(Object.entries(results).filter(([file]) => files.includes(file)));
console.info(`${dead} of ${tried} mutants noticed: ${percent} %`);
