import { describe, expect, test } from "bun:test";
import {
  notApplicableHeading,
  notApplicableTable,
  readSecuritySection,
  unprovedHeading,
  unprovedTable,
} from "../support/sources/security-docs.ts";
import { findRequirementTests } from "./breaches/find-tests.ts";
import { notApplicable } from "./not-applicable.ts";
import { requirements } from "./requirements.ts";
import { unproved } from "./unproved.ts";

/** Each requirement is met by one named test, or stands in the table with its reason; none is forgotten. */

const chapterOf = (number: string) => number.split(".")[0] ?? "";

describe("the list of requirements", () => {
  test("holds all 253 of level 1 and 2", () => {
    expect(Object.keys(requirements)).toHaveLength(253);
  });

  test("every applicable one is named by exactly one test", () => {
    const numbers = findRequirementTests().map(({ number }) => number);
    const times = (number: string) => numbers.filter((other) => other === number).length;
    expect(numbers.filter((number) => !(number in requirements))).toEqual([]);
    expect(
      Object.keys(requirements).filter((number) => times(number) + (number in notApplicable ? 1 : 0) !== 1),
    ).toEqual([]);
  });

  test("a test is in the file of its chapter", () => {
    const strays = findRequirementTests().filter(
      ({ number, file }) => !file.startsWith(`v${chapterOf(number).padStart(2, "0")}-`),
    );
    expect(strays).toEqual([]);
  });

  test("an inapplicable one is a requirement, has a reason, and docs/security/asvs.md says the same", () => {
    for (const [number, reason] of Object.entries(notApplicable)) {
      expect([number, number in requirements, reason.length > 10]).toEqual([number, true, true]);
    }
    expect(readSecuritySection("asvs", notApplicableHeading)).toContain(notApplicableTable(notApplicable));
    expect(readSecuritySection("asvs", notApplicableHeading).match(/^\| \d/gm)).toHaveLength(
      Object.keys(notApplicable).length,
    );
  });

  test("what a test does not show is stated for tested requirements, and docs/security/asvs.md says the same", () => {
    const numbers = new Set(findRequirementTests().map(({ number }) => number));
    expect(Object.keys(unproved).filter((number) => !numbers.has(number))).toEqual([]);
    expect(readSecuritySection("asvs", unprovedHeading)).toContain(unprovedTable(unproved));
  });
});
