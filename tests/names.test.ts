import { describe, expect, test } from "bun:test";
import {
  type DeclaredName,
  findRepeatedExports,
  isBareParticiple,
  isOneWord,
  isRouterName,
  readDeclaredNames,
} from "./support/sources/declared-names.ts";
import { allSources, isTestFile } from "./support/sources/product-sources.ts";

/** The naming rules of CONTRIBUTING.md, measured in the product's code and in what the tests share. */

const maxOneWordShare = 0.08;
const maxParticipleShare = 0.002;

function measureNames(names: readonly DeclaredName[]) {
  const share = (matches: (name: DeclaredName) => boolean) => names.filter(matches).length / names.length;
  return {
    count: names.length,
    oneWordShare: share(isOneWord),
    participleShare: share(isBareParticiple),
    repeatedExports: findRepeatedExports(names),
  };
}

const declare = (text: string, path = "db/planted.ts") => readDeclaredNames([{ path, text }]);

describe("top-level names", () => {
  const names = readDeclaredNames(
    allSources().filter(({ path }) => !isTestFile(path) && !/^tests\/(?!support\/)/.test(path)),
  );
  const figures = measureNames(names);
  const routerNames = names.filter(isRouterName).length;

  console.info(
    `${figures.count} top-level names: ${(figures.oneWordShare * 100).toFixed(1)} % are one word (${routerNames} of them React Router's), ` +
      `${(figures.participleShare * 1000).toFixed(1)} of 1,000 are bare participles, ${figures.repeatedExports.length} exported names are defined in three files`,
  );

  test("at most 8 % are one lower-case word", () => {
    expect(figures.count).toBeGreaterThan(5000);
    expect(figures.oneWordShare).toBeLessThanOrEqual(maxOneWordShare);
  });

  test("at most 2 of 1,000 are bare participles", () => {
    expect(figures.participleShare).toBeLessThanOrEqual(maxParticipleShare);
  });

  test("no exported name is defined in three files", () => {
    expect(figures.repeatedExports).toEqual([]);
  });
});

describe("a planted name is counted", () => {
  test("one word", () => {
    const planted = declare("const told = 1; export function findTrade() {} type Row = { id: number };");
    expect(planted.filter(isOneWord).map(({ name }) => name)).toEqual(["told"]);
  });

  test("a participle, also in a pattern, a type and a class", () => {
    const planted = declare(
      "const { a: kept, b: [pending] } = x; type Settled = 1; class Ended {} const settings = 1;",
    );
    expect(planted.filter(isBareParticiple).map(({ name }) => name)).toEqual([
      "kept",
      "pending",
      "Settled",
      "Ended",
    ]);
  });

  test("an export of three files, except what React Router names", () => {
    const files = (text: string) =>
      ["app/a.ts", "app/b.ts", "app/c.ts"].flatMap((path) => declare(text, path));
    expect(findRepeatedExports(files("export const limits = 1;"))).toEqual([
      { name: "limits", paths: ["app/a.ts", "app/b.ts", "app/c.ts"] },
    ]);
    expect(findRepeatedExports(files("export const loader = 1;"))).toEqual([]);
    expect(findRepeatedExports(files("const limits = 1;"))).toEqual([]);
  });
});
