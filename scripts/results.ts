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
