import { existsSync, readFileSync } from "node:fs";

/** How many tests ran well and badly. What was not run is in neither. */
export type Counts = { passed: number; failed: number };

/** Reads the counts of a JUnit report as `bun test` writes it; undefined when there is none. */
export function readJunit(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const head = /<testsuites [^>]*>/.exec(readFileSync(path, "utf8"))?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failed = count("failures") + count("errors");
  return { passed: count("tests") - count("skipped") - failed, failed };
}

/** Reads the counts of Playwright's JSON report; a test that passed only when repeated counts as failed. */
export function readPlaywright(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const { stats } = JSON.parse(readFileSync(path, "utf8")) as { stats: Record<string, number> };
  return { passed: stats.expected ?? 0, failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) };
}

/** How a step of the check ended. `note` is what its line must not leave out, though it is no failure. */
export type StepResult = { well: boolean; counts?: Counts; note?: string };

/** A step's line of the check's summary. */
export function summaryLine(name: string, milliseconds: number, { well, counts, note }: StepResult): string {
  const seconds = (milliseconds / 1000).toFixed(1).padStart(6);
  const counted = counts === undefined ? "" : `  ${counts.passed} passed, ${counts.failed} failed`;
  const noted = note === undefined ? "" : `  ${note}`;
  return `${well ? "✓" : "✗"} ${name.padEnd(14)}${seconds} s${counted}${noted}`;
}
