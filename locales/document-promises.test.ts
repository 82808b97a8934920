import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import listed from "../tests/support/sources/document-promises.json" with { type: "json" };
import { parseDocument } from "./documents.ts";

/** Each clause of the terms and the privacy policy names the test that holds the program to it, or the people who keep it. */

/** What a clause promises, in the words of both languages, and the test (file and title) or the people that keep it. */
type DocumentPromise = { en: string; mn: string } & ({ file: string; test: string } | { keptBy: string });

const termsPromises: Record<string, DocumentPromise[]> = listed.terms;
const privacyPromises: Record<string, DocumentPromise[]> = listed.privacy;

const root = join(import.meta.dir, "..");
const source = (name: string, language: string) =>
  readFileSync(join(root, "locales", "documents", `${name}.${language}.md`), "utf8");

/** The Markdown below each heading with an id. */
function sectionsOf(markdown: string): Map<string, string> {
  const parts = markdown.split(/^#{2,3} .*\{#([a-z-]+)\}$/m).slice(1);
  return new Map(parts.flatMap((id, at) => (at % 2 === 0 ? [[id, (parts[at + 1] ?? "").trim()]] : [])));
}

/** True if a test file runs a test with exactly this title: one that is skipped or in a comment does not count. */
function hasTest(file: string, title: string): boolean {
  const path = join(root, file);
  return existsSync(path) && isRun(readFileSync(path, "utf8"), title);
}

function isRun(source: string, title: string): boolean {
  const declaration = /^ *test\(\s*/gm;
  return [...source.matchAll(declaration)].some(({ index, 0: opening }) =>
    source.startsWith(`${JSON.stringify(title)},`, index + opening.length),
  );
}

describe.each([
  ["terms", termsPromises],
  ["privacy", privacyPromises],
] as const)("the promises of the %s", (name, promises) => {
  const [en, mn] = [sectionsOf(source(name, "en")), sectionsOf(source(name, "mn"))];

  test("every section has one, and no other is listed", () => {
    const written = [...en].filter(([, text]) => text !== "").map(([id]) => id);
    expect(written.length).toBeGreaterThan(8);
    expect(Object.keys(promises).toSorted()).toEqual(written.toSorted());
    expect([...mn.keys()]).toEqual([...en.keys()]);
  });

  test("each is written in its section, in both languages", () => {
    const missing = Object.entries(promises).flatMap(([id, list]) =>
      list.flatMap((promise) => [
        ...(en.get(id)?.includes(promise.en) ? [] : [`${id}: ${promise.en}`]),
        ...(mn.get(id)?.includes(promise.mn) ? [] : [`${id}: ${promise.mn}`]),
      ]),
    );
    expect(missing).toEqual([]);
  });

  test("each is held by a test that exists", () => {
    const held = Object.values(promises)
      .flat()
      .flatMap((promise) => ("file" in promise ? [promise] : []));
    expect(held.length).toBeGreaterThan(15);
    expect(held.filter(({ file, test: title }) => !hasTest(file, title))).toEqual([]);
  });

  test("the document parses into the same sections", () => {
    const { sections } = parseDocument(source(name, "en"));
    const ids = sections.flatMap((section) => [section.id, ...section.parts.map(({ id }) => id)]);
    expect([...en.keys()]).toEqual(ids);
  });
});

test("a test that was renamed is noticed", () => {
  const [first] = termsPromises.fees ?? [];
  if (first === undefined || !("file" in first)) throw new Error("the fees have no promise");
  expect(hasTest(first.file, first.test)).toBe(true);
  expect(hasTest(first.file, `${first.test} anew`)).toBe(false);
  expect(hasTest("locales/nowhere.test.ts", first.test)).toBe(false);
  expect(hasTest(first.file, "")).toBe(false);
});

test("a test that is not run is noticed", () => {
  expect(isRun('  test("pays once", () => {});', "pays once")).toBe(true);
  expect(isRun('  test.skip("pays once", () => {});', "pays once")).toBe(false);
  expect(isRun('  // test("pays once", () => {});', "pays once")).toBe(false);
});
