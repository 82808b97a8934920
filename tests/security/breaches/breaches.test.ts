import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { editsOf, keyOf, occurrences } from "./breach.ts";
import { findRequirementTests } from "./find-tests.ts";
import { breaches } from "./list.ts";
import { page, report } from "./report.ts";
import { readResults } from "./results.ts";

/** The breaches are those of the tree as it stands, so that none of them rots; that they are noticed is tried by `bun run security:break`. */

describe("the breaches of the security requirements", () => {
  const results = readResults();

  test("the text of each occurs once in its file", () => {
    const lost = breaches.flatMap((breach) =>
      editsOf(breach)
        .filter((edit) => occurrences(edit) !== 1)
        .map(({ file, find }) => `${keyOf(breach)}: ${file} has ${JSON.stringify(find)} not once`),
    );
    expect(lost).toEqual([]);
  });

  test("each changes something, and has a unique name", () => {
    expect(breaches.flatMap(editsOf).filter(({ find, replace }) => find === replace)).toEqual([]);
    expect(new Set(breaches.map(keyOf)).size).toBe(breaches.length);
  });

  test("every requirement that has a test has a breach, and no other", () => {
    const tested = new Set(findRequirementTests().map(({ number }) => number));
    const broken = new Set(breaches.map(({ requirement }) => requirement));
    expect([...tested].filter((number) => !broken.has(number))).toEqual([]);
    expect([...broken].filter((number) => !tested.has(number))).toEqual([]);
  });

  test("every tried breach was detected, and the page has the result of each", () => {
    const lived = breaches.filter((breach) => !["noticed", undefined].includes(results[keyOf(breach)]?.fate));
    expect(lived.map(keyOf)).toEqual([]);
    expect(readFileSync(page, "utf8")).toBe(report(results, breaches));
  });
});
