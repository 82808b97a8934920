import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

export const root = join(import.meta.dir, "..", "..");

/** One change of the source that a test should notice. `line` counts from 1. */
export type Mutant = {
  id: string;
  file: string;
  line: number;
  mutator: string;
  was: string;
  becomes: string;
  /** Where it begins and ends in the file, in characters, and all that stands there instead. */
  at: { from: number; to: number };
  replacement: string;
};

/** A copy of the tree whose mutants sleep in the code, each awake in the process that names it in its environment. */
export type Tree = {
  folder: string;
  mutants: Mutant[];
  /** What is under version control, as paths from the root. */
  tracked: string[];
  /** Of all that is under version control, as it stands. */
  digest: string;
};

const silent = () => {};
const logger = {
  ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
};

/** Texts are checked by types and by what reads them; a changed one says little of a rule. */
const leftOut = ["StringLiteral"];

/** Copies what is under version control into a folder of its own; whoever asked for it removes it. */
export async function copyOfTree(): Promise<{ folder: string; tracked: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "midman-mutation-"));
  const tracked = (await Bun.$`git ls-files`.cwd(root).text()).split("\n").filter((path) => path !== "");
  for (const path of tracked) cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return { folder, tracked };
}

/** A copy of the tree with the mutants of the given files (paths from the root) planted. */
export async function plant(files: readonly string[]): Promise<Tree> {
  const { folder, tracked } = await copyOfTree();
  const hash = new Bun.CryptoHasher("sha256");
  for (const path of tracked) {
    if (/^(modules|db|app|locales|tests\/support)\/|^[^/]+$/.test(path))
      hash.update(await Bun.file(join(root, path)).bytes());
    collectThrough(folder, path);
  }
  const sources = await Promise.all(
    files.map(async (name) => ({ name, mutate: true, content: await Bun.file(join(root, name)).text() })),
  );
  const options = { plugins: null, excludedMutations: leftOut, ignorers: [] };
  const { files: planted, mutants } = await new Instrumenter(logger).instrument(sources, options);
  for (const { name, content } of planted) writeFileSync(join(folder, name), content);
  const text = new Map(sources.map(({ name, content }) => [name, content.split("\n")]));
  return {
    ...{ folder, tracked, digest: hash.digest("hex").slice(0, 16) },
    mutants: mutants
      .filter(({ status }) => status !== "Ignored")
      .map(({ id, fileName, mutatorName, location, replacement }) => ({
        ...{ id, file: fileName, line: location.start.line + 1, mutator: mutatorName },
        was: excerpt(text.get(fileName) ?? [], location),
        becomes: oneLine(replacement ?? ""),
        at: {
          from: offset(text.get(fileName) ?? [], location.start),
          to: offset(text.get(fileName) ?? [], location.end),
        },
        replacement: replacement ?? "",
      })),
  };
}

/** Points what tests import at `bun-test.ts`. */
function collectThrough(folder: string, path: string): void {
  if (!/^(modules|db|tests\/support)\/.*\.ts$/.test(path)) return;
  const text = readFileSync(join(folder, path), "utf8");
  const collector = JSON.stringify(join(folder, "tests/mutation/bun-test.ts"));
  if (text.includes('from "bun:test"')) {
    writeFileSync(join(folder, path), text.replaceAll('from "bun:test"', `from ${collector}`));
  }
}

type Position = { line: number; column: number };
type Location = { start: Position; end: Position };

function offset(lines: readonly string[], { line, column }: Position): number {
  return lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, column);
}

function excerpt(lines: readonly string[], { start, end }: Location): string {
  const taken = lines.slice(start.line, end.line + 1);
  const last = taken.length - 1;
  if (taken[last] !== undefined) taken[last] = taken[last].slice(0, end.column);
  if (taken[0] !== undefined) taken[0] = taken[0].slice(start.column);
  return oneLine(taken.join(" "));
}

function oneLine(text: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > 120 ? `${plain.slice(0, 117)}…` : plain;
}
