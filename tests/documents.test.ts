import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  collectionProblems,
  countWords,
  dependencyRows,
  type RecordFile,
  recordProblems,
} from "./support/sources/decision-records.ts";

/** The decision records and the table of dependencies: complete, short and in one form. */

const root = join(import.meta.dir, "..");
const folder = join(root, "docs/decisions");
const maxWords = 6_000;
const maxReasonWords = 14;

const read = (path: string) => readFileSync(join(root, path), "utf8");
const index = read("docs/decisions/README.md");
const records: RecordFile[] = readdirSync(folder)
  .filter((file) => file !== "README.md")
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

const sound: RecordFile = {
  file: "0001-money-waits.md",
  text: [
    "# 0001. Money waits\n\nDate: 2026-11-21\n\nStatus: accepted\n",
    "## Context\n\nWhy.\n\n## Decision\n\nWhat.\n\n## Consequences\n\nSo.\n",
  ].join("\n"),
};
const soundIndex = "# Index\n\n- [0001](0001-money-waits.md) Money waits\n";
const changed = (from: string | RegExp, to: string): RecordFile => ({
  ...sound,
  text: sound.text.replace(from, to),
});

describe("decision records", () => {
  test("each have the right form, at most 40 lines and a line in the index", () => {
    expect(records.length).toBeGreaterThan(50);
    expect(records.flatMap((record) => recordProblems(record, index))).toEqual([]);
  });

  test("their numbers are unique and consecutive, and the index names nothing else", () => {
    expect(collectionProblems(records, index)).toEqual([]);
  });

  test(`together they have at most ${maxWords} words`, () => {
    expect(records.reduce((words, { text }) => words + countWords(text), 0)).toBeLessThanOrEqual(maxWords);
  });

  test("a valid record passes", () => {
    expect(recordProblems(sound, soundIndex)).toEqual([]);
    expect(recordProblems(changed("accepted", "superseded by 0002"), soundIndex)).toEqual([]);
    expect(collectionProblems([sound], soundIndex)).toEqual([]);
  });

  test.each<[string, RecordFile, string]>([
    ["another number in its heading", changed("# 0001.", "# 0002."), "its heading"],
    ["no date", changed("Date: 2026-11-21", ""), "no date"],
    ["a day that does not exist", changed("2026-11-21", "2026-11-31"), "no date"],
    ["no status", changed("Status: accepted", ""), "no status"],
    ["an unknown status", changed("accepted", "proposed"), "no status"],
    ["no context", changed("## Context", ""), "its sections"],
    ["an empty decision", changed("What.", ""), "its sections"],
    ["its consequences first", changed(/(## Context.*)(## Consequences.*)/s, "$2\n$1"), "its sections"],
    ["41 lines", changed("So.", `So.${"\n".repeat(24)}It goes on.`), "more than 40 lines"],
    ["a line of 121 characters", changed("So.", "x".repeat(121)), "longer than 120"],
    ["a name without a number", { ...sound, file: "money-waits.md" }, "not named"],
    ["another title than in the index", changed("Money waits", "Money leaves"), "not in the index"],
  ])("a record is refused with %s", (_, record, problem) => {
    expect(recordProblems(record, soundIndex).join("\n")).toContain(problem);
  });

  test("40 lines are allowed", () => {
    const long = changed("So.", `So.${"\n".repeat(23)}It goes on.`);
    expect(long.text.trimEnd().split("\n")).toHaveLength(40);
    expect(recordProblems(long, soundIndex)).toEqual([]);
  });

  test.each<[string, RecordFile[], string, string]>([
    ["a gap", [sound, { ...sound, file: "0003-more.md" }], soundIndex, "0003 where 0002"],
    ["one number twice", [sound, { ...sound, file: "0001-again.md" }], soundIndex, "0001 where 0002"],
    ["an index that names a file twice", [sound], soundIndex + soundIndex, "twice"],
    ["an index that names no file", [sound], `${soundIndex}- [0002](0002-gone.md) Gone\n`, "is not there"],
    ["no successor", [changed("accepted", "superseded by 0009")], soundIndex, "no record 0009"],
    ["itself as successor", [changed("accepted", "superseded by 0001")], soundIndex, "no record 0001"],
  ])("a collection is refused with %s", (_, all, list, problem) => {
    expect(collectionProblems(all, list).join("\n")).toContain(problem);
  });
});

describe("the table of dependencies", () => {
  const rows = dependencyRows(read("docs/dependencies.md"));

  test("has each package once, in its exact version, and no other", () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json"));
    const installed = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(installed.length).toBeGreaterThan(50);
    expect(rows.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(
      installed.map(([name, version]) => `${name} ${version}`).sort(),
    );
  });

  test(`gives each package a reason of one sentence, at most ${maxReasonWords} words`, () => {
    const wrong = rows.filter(({ reason }) => {
      const words = countWords(reason);
      return words < 3 || words > maxReasonWords || !reason.endsWith(".") || /[.!?] \p{Lu}/u.test(reason);
    });
    expect(wrong).toEqual([]);
  });
});
