import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  collectionProblems,
  countWords,
  dependencyRows,
  type RecordFile,
  recordProblems,
} from "./support/sources/decision-records.ts";
import { mayImport } from "./support/sources/module-order.ts";

/** The documents: decision records and the table of dependencies: complete, short and in one form. */

const root = join(import.meta.dir, "..");
const folder = join(root, "docs/decisions");
/** Words of a record, on average: a list that grows by records does not grow by longer ones. */
const averageWords = 80;
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

  test(`on average they have at most ${averageWords} words`, () => {
    const words = records.reduce((sum, { text }) => sum + countWords(text), 0);
    expect(words / records.length).toBeLessThanOrEqual(averageWords);
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

describe("the documents about the architecture", () => {
  test("the picture shows which module imports which", () => {
    const drawn = [...read("docs/architecture/house.svg").matchAll(/data-from="(\w+)" data-to="(\w+)"/g)];
    const allowed = Object.entries(mayImport).flatMap(([from, below]) => below.map((to) => `${from} ${to}`));
    expect(drawn.map(([, from, to]) => `${from} ${to}`).sort()).toEqual(allowed.sort());
  });

  test("the table of settings has each setting, and no other", () => {
    const known = [...read("config.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name);
    const told = [...read("docs/settings.md").matchAll(/^\|([^|]+)\|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
    );
    expect(told.sort()).toEqual(known.filter((name) => name !== "NODE_ENV").sort());
  });

  test("each module has a description", () => {
    const rooms = [...Object.keys(mayImport).map((name) => `modules/${name}`), "app", "db", "tests"];
    expect(rooms.filter((room) => !existsSync(join(root, room, "README.md")))).toEqual([]);
  });

  test("the links, commands and source files in documents exist", () => {
    const glob = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })];
    const documents = [...glob("*.md"), ...glob("{.github,app,db,docs,modules,tests}/**/*.md")];
    expect(documents.length).toBeGreaterThan(10);
    expect(documents.flatMap((path) => brokenReferences(path, read(path)))).toEqual([]);
  });

  test("a planted link to a missing file, heading, command or source file is detected", () => {
    const planted =
      '[a](no.md) [b](../SECURITY.md#no) [c](#no) <img src="no.svg"> `bun run no` [d](../SECURITY.md#how-to-report) `bun run up`';
    const files = "`no.ts` `lib/no.test.ts` `client.ts` `db/client.ts` `*.test.ts`";
    expect(brokenReferences("docs/planted.md", `${planted} ${files}`)).toHaveLength(7);
  });
});

/** The anchors of a document's headings, as GitHub names them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\s-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Every source file of the repository, each after a slash, so that the end of a path can be compared. */
const sourceFiles = [
  ...new Bun.Glob("*.{ts,tsx}").scanSync(root),
  ...new Bun.Glob(
    "{app,config,db,deploy,emails,locales,modules,scripts,tests}/**/*.{ts,tsx,hbs,sql}",
  ).scanSync(root),
].map((path) => `/${path}`);

/**
 * The links of a document to files or headings that are not there, the commands it names that package.json lacks, and the source files in
 * backticks that the repository lacks.
 */
function brokenReferences(path: string, text: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const beside = (link: string) => join(path, "..", link);
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[\w-]+)?\)|src="([^":]+)"/g)].map(
    ([, one, other]) => one ?? other ?? "",
  );
  const anchors = [...text.matchAll(/\]\(([^)#:]*)#([\w-]+)\)/g)].filter(([, file = "", anchor = ""]) => {
    if (file !== "" && !existsSync(join(root, beside(file)))) return false;
    const target = file === "" ? text : readFileSync(join(root, beside(file)), "utf8");
    return !anchorsOf(target).includes(anchor);
  });
  const commands = [...text.matchAll(/bun run ([a-z][\w:]*)/g)].map(([, name = ""]) => name);
  const files = [...text.matchAll(/`([\w@./-]+\.(?:tsx?|hbs|sql))`/g)].map(([, name = ""]) => name);
  return [
    ...files.filter((name) => !sourceFiles.some((path) => path.endsWith(`/${name}`))),
    ...links.filter((link) => !existsSync(join(root, beside(link)))),
    ...anchors.map(([link]) => link),
    ...commands.filter((name) => !(name in scripts)),
  ].map((what) => `${path}: ${what}`);
}
