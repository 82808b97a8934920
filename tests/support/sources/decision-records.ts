/** What tests read out of the documents in docs/. */

export type Dependency = { name: string; version: string; reason: string };

/** The rows of the table in docs/dependencies.md, in their order. */
export function dependencyRows(text: string): Dependency[] {
  const rows = text.matchAll(/^\| `([^`]+)` \| (\S+) \| (.*?) \|$/gm);
  return [...rows].map(([, name = "", version = "", reason = ""]) => ({
    name,
    version,
    reason: reason.trim(),
  }));
}

/** Words with a letter or a digit: marks of Markdown that stand alone are none. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export type RecordFile = { file: string; text: string };

const maxRecordLines = 40;
const maxLineLength = 120;
const requiredSections = ["Context", "Decision", "Consequences"];

/** What is wrong with one decision record: its form, its length, or a line of its own that the index does not have. */
export function recordProblems({ file, text }: RecordFile, index: string): string[] {
  const lines = text.trimEnd().split("\n");
  const [, number = "", title = ""] = /^# (\d{4})\. (\S.*)$/.exec(lines[0] ?? "") ?? [];
  const problems = [
    [!/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(file), "its file is not named NNNN-title.md"],
    [number === "" || !file.startsWith(`${number}-`), "its heading does not have its number and title"],
    [lines.length > maxRecordLines, `it has more than ${maxRecordLines} lines`],
    [lines.some((line) => line.length > maxLineLength), `a line is longer than ${maxLineLength} characters`],
    [!isDate(/^Date: (.*)$/m.exec(text)?.[1]), "it has no date"],
    [!/^Status: (accepted|superseded by \d{4})$/m.test(text), "it has no status"],
    [
      writtenSections(text).join() !== requiredSections.join(),
      `its sections are not ${requiredSections.join(", ")}, each with a text`,
    ],
    [!index.split("\n").includes(`- [${number}](${file}) ${title}`), "it is not in the index"],
  ] as const;
  return problems.filter(([wrong]) => wrong).map(([, what]) => `${file}: ${what}`);
}

function isDate(text: string | undefined): boolean {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The headings under which something is written. */
function writtenSections(text: string): string[] {
  const [, ...written] = text.split(/^## /m);
  return written.filter((part) => /\n\s*\S/.test(part)).map((part) => part.split("\n")[0] ?? "");
}

/** What is wrong with the records together: numbers, the index's other lines, references to records that do not exist. */
export function collectionProblems(records: RecordFile[], index: string): string[] {
  const numbers = records.map(({ file }) => file.slice(0, 4));
  const indexed = [...index.matchAll(/^- \[(\d{4})\]\(([^)]+)\)/gm)].map(([, , file = ""]) => file);
  const files = records.map(({ file }) => file);
  const superseding = records.flatMap(({ file, text }) => {
    const by = /^Status: superseded by (\d{4})$/m.exec(text)?.[1];
    return by !== undefined && (!numbers.includes(by) || file.startsWith(by))
      ? [`${file}: no record ${by} succeeds it`]
      : [];
  });
  return [
    ...numbers
      .toSorted()
      .map((number, at) => [number, String(at + 1).padStart(4, "0")])
      .filter(([number, expected]) => number !== expected)
      .map(([number, expected]) => `number ${number} where ${expected} is next`),
    ...indexed
      .filter((file) => !files.includes(file))
      .map((file) => `the index names ${file}, which is not there`),
    ...indexed
      .filter((file, at) => indexed.indexOf(file) !== at)
      .map((file) => `the index names ${file} twice`),
    ...superseding,
  ];
}
