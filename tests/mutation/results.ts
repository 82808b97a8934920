import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./tree.ts";

export type Fate = "killed" | "timeout" | "survived" | "uncovered";

/** What became of the mutants of one file, as it stood with this digest; those that live are named. */
export type FileResult = {
  digest: string;
  killed: number;
  timeout: number;
  alive: Array<Omit<Mutant, "id" | "file"> & { fate: "survived" | "uncovered" }>;
};
export type Results = Record<string, FileResult>;

const path = join(import.meta.dir, "results.json");

/** What earlier runs found; a file that has not changed since needs only its living mutants tried again. */
export function readResults(): Results {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

export function writeResults(results: Results): void {
  const sorted = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(sorted, null, 1)}\n`);
}

/** Killed and timed out of all, in percent with one decimal. */
export function score(results: readonly FileResult[]): { mutants: number; dead: number; percent: number } {
  const dead = results.reduce((sum, { killed, timeout }) => sum + killed + timeout, 0);
  const mutants = dead + results.reduce((sum, { alive }) => sum + alive.length, 0);
  return { mutants, dead, percent: mutants === 0 ? 100 : Math.round((dead / mutants) * 1000) / 10 };
}
