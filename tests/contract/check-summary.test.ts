import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJunit, readPlaywright, summaryLine } from "../../scripts/check/test-results.ts";

/** The check's summary names what failed: a forge may show only the end of the output. */

const folder = mkdtempSync(join(tmpdir(), "midman-summary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reportOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("a failed hook is named by its file and its message, for it has no name", () => {
  const report = reportOf(
    "junit.xml",
    `<testsuites name="bun test" tests="3" assertions="1" failures="2" skipped="0" time="0.3">
      <testcase name="(unnamed)" classname="" time="0.3" file="db/bus.test.ts" assertions="0">
        <failure type="Error" message="no start&#10;of it">Error: no start</failure>
      </testcase>
      <testcase name="&quot;a&quot; &amp; b" classname="" time="0.1" file="db/jobs.test.ts" line="2">
        <failure type="AssertionError" message="expect(1) &lt; 0">…</failure>
      </testcase>
      <testcase name="passes" classname="" time="0" file="db/jobs.test.ts" line="9" />
    </testsuites>`,
  );
  const counts = readJunit(report);
  expect(counts).toEqual({
    passed: 1,
    failed: 2,
    failures: ["db/bus.test.ts: (unnamed): no start", 'db/jobs.test.ts: "a" & b: expect(1) < 0'],
  });
  expect(summaryLine("tests", 1_000, { well: false, counts })).toBe(
    "✗ tests            1.0 s  1 passed, 2 failed\n" +
      "    db/bus.test.ts: (unnamed): no start\n" +
      '    db/jobs.test.ts: "a" & b: expect(1) < 0',
  );
});

test("a browser test that passed only on a retry is named as failed", () => {
  const spec = (title: string, status: string) => ({ file: "room.spec.ts", title, tests: [{ status }] });
  const report = reportOf(
    "results.json",
    JSON.stringify({
      stats: { expected: 1, unexpected: 1, flaky: 1 },
      suites: [
        {
          specs: [spec("opens", "expected"), spec("sends", "flaky")],
          suites: [{ specs: [spec("closes", "unexpected")] }],
        },
      ],
    }),
  );
  expect(readPlaywright(report)).toEqual({
    passed: 1,
    failed: 2,
    failures: ["room.spec.ts: sends", "room.spec.ts: closes"],
  });
});

test("without a report there are no counts", () => {
  expect(readJunit(join(folder, "none.xml"))).toBeUndefined();
  expect(readPlaywright(join(folder, "none.json"))).toBeUndefined();
});
