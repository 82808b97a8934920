import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { machine, table } from "../bench/support/results.ts";
import type { Mutant } from "./tree.ts";

export type Fate = "killed" | "timeout" | "survived" | "uncovered";
type Alive = Pick<Mutant, "line" | "mutator" | "was" | "becomes"> & { fate: "survived" | "uncovered" };

/** What became of the mutants of one file, as it stood with this digest: `refused` by the types; those that live are named. */
export type FileResult = { digest: string; refused: number; killed: number; timeout: number; alive: Alive[] };
export type Results = Record<string, FileResult>;

/** Why no test can tell a change, or need not, from what was written; whatever line it now stands in. */
type Explained = { file: string; was: string; becomes: string; why: string };

const data = join(import.meta.dir, "results.json");
const explanations = join(import.meta.dir, "explained.json");
const page = join(import.meta.dir, "results.md");

/** What earlier runs found; a file that has not changed since needs only its living mutants tried again. */
export function readResults(): Results {
  return existsSync(data) ? JSON.parse(readFileSync(data, "utf8")) : {};
}

/** Keeps what was found, and writes the page that sums it up. `all` are the mutants there are of each file. */
export function writeResults(results: Results, all: ReadonlyMap<string, number>): void {
  const sorted = Object.fromEntries(
    Object.entries(results)
      .filter(([file]) => all.has(file))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(data, `${JSON.stringify(sorted, null, 1)}\n`);
  writeFileSync(page, report(sorted, all));
}

/** Killed and timed out of all that can be built, in percent with one decimal; `explained` of those that live. */
export function score(results: ReadonlyArray<[file: string, FileResult]>) {
  const sum = (of: (result: FileResult, file: string) => number) =>
    results.reduce((total, [file, result]) => total + of(result, file), 0);
  const dead = sum(({ killed, timeout }) => killed + timeout);
  const refused = sum((result) => result.refused);
  const alive = sum((result) => result.alive.length);
  const explained = sum(({ alive }, file) => alive.filter((one) => isExplained(file, one)).length);
  const tried = dead + alive;
  const percent = tried === 0 ? 100 : Math.round((dead / tried) * 1000) / 10;
  return { refused, tried, dead, alive, explained, percent };
}

const known: Explained[] = existsSync(explanations) ? JSON.parse(readFileSync(explanations, "utf8")) : [];

function isExplained(file: string, { was, becomes }: Alive): boolean {
  return known.some((one) => one.file === file && one.was === was && one.becomes === becomes);
}

const head = `# What the tests notice

Mutation testing (\`bun run mutate\`): each change that could be made to the rules of escrow and payments is made, one at a time, and the
two modules' own tests are run. Those that the types refuse could not be built and are only counted. Noticed is what some test fails of
or what never ends. What lives is named in \`results.json\`, and where no test can or need tell it from what was written, the reason is in
\`explained.json\`.
`;

function report(results: Results, all: ReadonlyMap<string, number>): string {
  const folders = Object.groupBy([...all], ([file]) => dirname(file));
  const rows = Object.entries(folders).map(([folder, files = []]) => {
    const there = files.reduce((total, [, count]) => total + count, 0);
    const found = files.flatMap(([file]) =>
      results[file] ? [[file, results[file]] as [string, FileResult]] : [],
    );
    return line(`\`${folder}\``, there, score(found));
  });
  const whole = [...all.values()].reduce((total, count) => total + count, 0);
  rows.push(line("**both**", whole, score(Object.entries(results))));
  const columns = ["where", "changes", "refused", "tried", "noticed", "", "live", "explained"];
  return `${head}\n${machine()}\n\n${table(columns, rows)}\n`;
}

function line(
  name: string,
  there: number,
  { refused, tried, dead, percent, alive, explained }: ReturnType<typeof score>,
) {
  return [name, there, refused, tried, dead, tried === 0 ? "" : `${percent} %`, alive, explained];
}
