/**
 * Mutation testing: `bun tests/mutation/run.ts [--only <part of a path>] [--minutes <n>] [--jobs <n>]`. Each change that could be made
 * to escrow's and payments' rules is made, one at a time, and the tests of the two modules that meet it are run until one
 * fails. What no test notices is written to `results.json`, with its line. A file that has not changed since the last run is tried
 * again only where something lived. Stops by itself after the given minutes and goes on from there the next time.
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
  },
});
const until = Date.now() + Number(values.minutes) * 60_000;

/** What is not tried: the sandbox and fixtures are stand-ins, schemas mirror the database, and the doors' own words are checked by types. */
const leftOut = /(\.test|\.fixture)\.ts$|\/schema\b[^/]*\.ts$|\/sandbox\/|\/types\.ts$|\/index\.ts$/;

async function sources(): Promise<string[]> {
  const listed = await Bun.$`git ls-files modules/escrow modules/payments`.cwd(root).text();
  return listed
    .split("\n")
    .filter((path) => path.endsWith(".ts") && !leftOut.test(path) && path.includes(values.only));
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
const files = await sources();
const tree = await plant(files);
process.on("exit", () => rmSync(tree.folder, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
const tests: TestFile[] = await meets(tree, Number(values.jobs));
console.info(`${files.length} files, ${tree.mutants.length} mutants, ${tests.length} test files`);

async function tryFile(file: string): Promise<void> {
  const digest = await digestOf(file);
  const before = results[file]?.digest === digest ? results[file] : undefined;
  const mutants = tree.mutants.filter(
    (mutant) => mutant.file === file && (before === undefined || lived(before, mutant)),
  );
  const fates = new Map<Mutant, Fate>();
  for (const mutant of mutants) {
    if (Date.now() > until) return;
    fates.set(mutant, await tryMutant(tree, mutant, tests));
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
  writeResults(results);
  const { dead, mutants: all, percent } = score([result]);
  console.info(`${file}: ${dead} of ${all} (${percent} %)`);
}

function lived({ alive }: FileResult, { line, mutator, was, becomes }: Mutant): boolean {
  return alive.some(
    (one) => one.line === line && one.mutator === mutator && one.was === was && one.becomes === becomes,
  );
}

await inParallel([...files], tryFile);
const all = score(files.flatMap((file) => results[file] ?? []));
console.info(`${all.dead} of ${all.mutants} mutants noticed: ${all.percent} %`);
