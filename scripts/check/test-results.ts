import { existsSync, readFileSync } from "node:fs";

/** The numbers of passed and failed tests. Skipped tests are in neither. */
export type Counts = { passed: number; failed: number };

/** Reads the counts from a JUnit report of `bun test`; undefined if there is none. */
export function readJunit(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const head = /<testsuites [^>]*>/.exec(readFileSync(path, "utf8"))?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failed = count("failures") + count("errors");
  return { passed: count("tests") - count("skipped") - failed, failed };
}

/** Reads the counts from Playwright's JSON report. A test that passed only on a retry counts as failed. */
export function readPlaywright(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const { stats } = JSON.parse(readFileSync(path, "utf8")) as { stats: Record<string, number> };
  return { passed: stats.expected ?? 0, failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) };
}

/** The result of a step. `note` is a remark for its summary line that is not a failure. */
export type StepResult = { well: boolean; counts?: Counts; note?: string };

/** A step's line of the check's summary. */
export function summaryLine(name: string, milliseconds: number, { well, counts, note }: StepResult): string {
  const seconds = (milliseconds / 1000).toFixed(1).padStart(6);
  const counted = counts === undefined ? "" : `  ${counts.passed} passed, ${counts.failed} failed`;
  const noted = note === undefined ? "" : `  ${note}`;
  return `${well ? "✓" : "✗"} ${name.padEnd(14)}${seconds} s${counted}${noted}`;
}
