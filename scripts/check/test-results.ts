import { existsSync, readFileSync } from "node:fs";

/** The numbers of passed and failed tests; skipped tests are in neither. `failures` names each failed test with its file. */
export type Counts = { passed: number; failed: number; failures: string[] };

/** Reads the counts from a JUnit report of `bun test`; undefined if there is none. */
export function readJunit(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const report = readFileSync(path, "utf8");
  const head = /<testsuites [^>]*>/.exec(report)?.[0] ?? "";
  const count = (name: string) => Number(readAttribute(head, name));
  const failed = count("failures") + count("errors");
  return { passed: count("tests") - count("skipped") - failed, failed, failures: readFailures(report) };
}

/** Bun calls a failed hook `(unnamed)`, so its message is needed to find it. */
function readFailures(report: string): string[] {
  return [...report.matchAll(/(<testcase [^>]*>)\s*(<(?:failure|error) [^>]*>)/g)].map(
    ([, test = "", failure = ""]) => {
      const [message] = readAttribute(failure, "message").split("\n");
      return `${readAttribute(test, "file")}: ${readAttribute(test, "name")}: ${message}`;
    },
  );
}

/** An attribute of an XML tag, as text; empty if the tag has none of that name. */
function readAttribute(tag: string, name: string): string {
  const raw = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const named: Record<string, string> = { quot: '"', lt: "<", gt: ">", apos: "'", amp: "&" };
  return raw.replace(/&(?:#(\d+)|(\w+));/g, (all, code, word) =>
    code === undefined ? (named[word] ?? all) : String.fromCodePoint(Number(code)),
  );
}

/** Reads the counts from Playwright's JSON report. A test that passed only on a retry counts as failed. */
export function readPlaywright(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const { stats, suites } = JSON.parse(readFileSync(path, "utf8")) as PlaywrightReport;
  return {
    passed: stats.expected ?? 0,
    failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0),
    failures: suites.flatMap(failedSpecs),
  };
}

type PlaywrightReport = { stats: Record<string, number>; suites: PlaywrightSuite[] };
type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs: Array<{ file: string; title: string; tests: Array<{ status: string }> }>;
};

function failedSpecs(suite: PlaywrightSuite): string[] {
  const failed = suite.specs.filter(({ tests }) =>
    tests.some(({ status }) => /unexpected|flaky/.test(status)),
  );
  return [
    ...failed.map(({ file, title }) => `${file}: ${title}`),
    ...(suite.suites ?? []).flatMap(failedSpecs),
  ];
}

/** The result of a step. `note` is a remark for its summary line that is not a failure. */
export type StepResult = { well: boolean; counts?: Counts; note?: string };

/** Limit of failed tests that the summary names. */
const mostNamed = 20;

/** A step's line of the check's summary, with a line for each of its failed tests. */
export function summaryLine(name: string, milliseconds: number, { well, counts, note }: StepResult): string {
  const seconds = (milliseconds / 1000).toFixed(1).padStart(6);
  const counted = counts === undefined ? "" : `  ${counts.passed} passed, ${counts.failed} failed`;
  const noted = note === undefined ? "" : `  ${note}`;
  const failures = counts?.failures ?? [];
  const failed = failures.slice(0, mostNamed).map((failure) => `\n    ${failure}`);
  if (failures.length > mostNamed) failed.push(`\n    … and ${failures.length - mostNamed} more`);
  return `${well ? "✓" : "✗"} ${name.padEnd(14)}${seconds} s${counted}${noted}${failed.join("")}`;
}
