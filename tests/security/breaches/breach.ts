import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dir, "..", "..", "..");

/** One edit of one file: `find` stands in it exactly once. */
export type Edit = { file: string; find: string; replace: string };

/** A way to break a requirement's rule in the tree, which the requirement's test must notice. */
export type Breach = Edit & {
  requirement: string;
  /** What no longer holds, in a few words. */
  breaks: string;
  /** Further edits, where one alone breaks nothing. */
  also?: readonly Edit[];
};

/** The name of a breach in the results; unique. */
export const keyOf = ({ requirement, breaks }: Breach) => `${requirement} ${breaks}`;

/** All edits of a breach. */
export const editsOf = ({ file, find, replace, also = [] }: Breach): Edit[] => [
  { file, find, replace },
  ...also,
];

/** How often the text of an edit stands in its file below `folder`; 0 where there is no such file. */
export function occurrences({ file, find }: Edit, folder = root): number {
  try {
    return readFileSync(join(folder, file), "utf8").split(find).length - 1;
  } catch {
    return 0;
  }
}

/** Digest of a breach and of the test that must notice it; a result counts only while both are the same. */
export function digestOf(breach: Breach, testFile: string): string {
  const text = readFileSync(testFile, "utf8");
  const from = text.search(
    new RegExp(`^\\s*test\\(\\s*["'\`]${breach.requirement.replaceAll(".", "\\.")} `, "m"),
  );
  const next = text.slice(from + 1).search(/^\s*test\(/m);
  const test = text.slice(from, next < 0 ? undefined : from + 1 + next);
  return Bun.hash(`${JSON.stringify(editsOf(breach))}${test}`).toString(16);
}

/** A breach in one line: what it breaks, where, the text that holds the rule and what takes its place. */
export function breach(
  requirement: string,
  breaks: string,
  file: string,
  find: string,
  replace: string,
  also: readonly Edit[] = [],
): Breach {
  return { requirement, breaks, file, find, replace, ...(also.length > 0 && { also }) };
}
