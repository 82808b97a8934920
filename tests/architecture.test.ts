import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { describeCall, listedRefusals } from "#calls";
import { expectMatch } from "./support/expect-match.ts";
import { findCycles, type Imports, readImportGraph } from "./support/sources/import-graph.ts";
import { mayImport } from "./support/sources/module-order.ts";
import { allSources, isTestFile, isTestList, runtimeImports } from "./support/sources/product-sources.ts";
import {
  functionLengths,
  importSpecifiers,
  literalTexts,
  loadedSpecifiers,
  matchersInPartialMatches,
  postingForms,
  type Source,
  valuesBesideTypeExports,
} from "./support/sources/source-analysis.ts";

/** The house as rules (docs/decisions/0001). Each rule names what breaks it; the planted tree breaks every one. */

const root = join(import.meta.dir, "..");

const longestFunction = 70;
const longestFile = 300;
/** A file of tests is a list of cases. */
const longestTestList = 500;

const moduleOf = (path: string) => /^modules\/([^/]+)\//.exec(path)?.[1];

function escapes(source: Source): string[] {
  const home = moduleOf(source.path);
  if (home === undefined) return [];
  return importSpecifiers(source)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(source.path, "..", specifier)))
    .filter((target) => !target.startsWith(`modules/${home}/`))
    .filter((target) => !(isTestFile(source.path) && target.startsWith("tests/support/")));
}

function intrudes(source: Source): string[] {
  const home = moduleOf(source.path);
  return importSpecifiers(source)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(source.path, "..", specifier)))
    .filter((target) => target.startsWith("modules/") && moduleOf(target) !== home);
}

function climbs(source: Source): string[] {
  const home = moduleOf(source.path);
  if (home === undefined) return [];
  return importSpecifiers(source).filter((specifier) => {
    if (/^(#app|app)\//.test(specifier) || specifier.includes("/app/")) return true;
    const asked = /^#(?:modules|constants|forms|http|views)\/(.+)$/.exec(specifier)?.[1];
    return asked !== undefined && asked !== home && !(mayImport[home] ?? []).includes(asked);
  });
}

const pageFiles = new Set(
  [...readFileSync(join(root, "app/routes.ts"), "utf8").matchAll(/"(routes\/[^"]+)"/g)].map(
    ([, path]) => `app/${path}`,
  ),
);

/** What draws or runs in a browser: all but pages, whose loaders and actions run on the server. */
function isComponent(path: string): boolean {
  if (/^app\/routes\/.*\.tsx$/.test(path)) return !pageFiles.has(path);
  return /^app\/(ui|islands|enhance)\//.test(path);
}

function reachesBehindTheView(source: Source): string[] {
  if (!isComponent(source.path)) return [];
  return importSpecifiers(source).filter((specifier) => {
    if (specifier.startsWith("#")) return !/^#(constants\/|forms\/|views\/|format$)/.test(specifier);
    return (
      specifier.startsWith(".") && normalize(join(source.path, "..", specifier)).startsWith("app/server/")
    );
  });
}

/** A view type is declared once, beside its schema or its builder; `views.ts` shows it, and loads nothing. */
function loadsViews(source: Source): string[] {
  if (/^modules\/[^/]+\/views\.ts$/.test(source.path)) return valuesBesideTypeExports(source);
  return loadedSpecifiers(source).filter((specifier) => /^#views\/|\/views\.ts$/.test(specifier));
}

function asksTheDatabase(source: Source): string[] {
  if (!source.path.startsWith("app/") || source.path === "app/server/health/health.ts") return [];
  return importSpecifiers(source).filter((specifier) =>
    /^(drizzle-orm|postgres|#db\/client(\/prepared.*)?)$/.test(specifier),
  );
}

function speaksUntranslated(source: Source): string[] {
  return source.path.startsWith("app/") && source.path.endsWith(".tsx") ? literalTexts(source) : [];
}

function runsLong(source: Source): string[] {
  if (isTestList(source.path)) return [];
  return functionLengths(source)
    .filter(({ lines }) => lines > longestFunction)
    .map(({ name, lines }) => `${name} (${lines} lines)`);
}

const tooManyLines = ({ text }: Source, most: number) => {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return lines > most ? [`${lines} lines`] : [];
};

const isLongFile = (source: Source) => (isTestList(source.path) ? [] : tooManyLines(source, longestFile));
const isLongTestList = (source: Source) =>
  isTestList(source.path) ? tooManyLines(source, longestTestList) : [];

/** A rejection that nobody waits for is told of after its test has passed, or never. */
function waitsNotForRejections(source: Source): string[] {
  if (!isTestFile(source.path)) return [];
  return [...source.text.matchAll(/(?<=[;{}]\n\s*)expect\([^;]*?\)\s*\.(?:rejects|resolves)\./g)].map(
    ([found]) => found,
  );
}

/** Packages that few requests need. Together they made up a quarter of the time in which a process loads its modules. */
const loadedOnDemand = new Set([
  "@simplewebauthn/server",
  "age-encryption",
  "date-fns", // with all its functions; date-fns/addDays is one
  "nodemailer",
  "qrcode",
  "sharp",
  "web-push",
]);

function loadsTooEarly(source: Source): string[] {
  if (!/^(?:app|modules|db|locales)\//.test(source.path) || isTestFile(source.path)) return [];
  return loadedSpecifiers(source).filter((specifier) => loadedOnDemand.has(specifier));
}

/** Another person may sign in at the browser before a form is sent: the server compares whom it names. */
function namesNobody(source: Source): string[] {
  if (!/^app\/.*\.tsx$/.test(source.path) || source.path === "app/ui/forms/person-form.tsx") return [];
  return postingForms(source);
}

const rules: Record<string, (source: Source) => string[]> = {
  "no relative import leaves its module": escapes,
  "nobody enters a module but by its doors": intrudes,
  "modules import only those below them, never app": climbs,
  "islands, components and enhancements take only constants, forms, view types and formats":
    reachesBehindTheView,
  "views.ts exports only types, and only types are imported from it": loadsViews,
  "no SQL in app": asksTheDatabase,
  "db, locales and config import no module": knowsAModule,
  "no text in a component that the catalogues do not know": speaksUntranslated,
  "a form that posts is a PersonForm": namesNobody,
  "a test waits for the rejection it expects": waitsNotForRejections,
  "a partial match expects no matcher": matchersInPartialMatches,
  "a package that few requests need is loaded on demand": loadsTooEarly,
  [`no function over ${longestFunction} lines, but for what gathers tests`]: runsLong,
  [`no file over ${longestFile} lines, but for those of tests`]: isLongFile,
  [`no file of tests over ${longestTestList} lines`]: isLongTestList,
};

function broken(sources: Source[], rule: (source: Source) => string[]): string[] {
  return sources.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`));
}

const planted: Record<string, Source> = {
  "a partial match expects no matcher": {
    path: "db/planted.test.ts",
    text: 'test("no", () => { expect(found).toMatchObject({ id: expect.any(Number) }); });',
  },
  "no relative import leaves its module": {
    path: "modules/audit/lib/planted.ts",
    text: 'import { x } from "../../rooms/lib/x.ts";',
  },
  "nobody enters a module but by its doors": {
    path: "app/routes/planted.ts",
    text: 'const x = await import("../../modules/rooms/lib/x.ts");',
  },
  "modules import only those below them, never app": {
    path: "modules/payments/lib/planted.ts",
    text: 'export { x } from "#modules/escrow";',
  },
  "islands, components and enhancements take only constants, forms, view types and formats": {
    path: "app/islands/planted.ts",
    text: 'import { x } from "#modules/rooms";',
  },
  "views.ts exports only types, and only types are imported from it": {
    path: "app/ui/planted.tsx",
    text: 'import { type A, b } from "#views/escrow"; import type { C } from "#views/escrow";',
  },
  "db, locales and config import no module": {
    path: "db/planted.ts",
    text: 'import { x } from "#modules/audit";',
  },
  "no SQL in app": { path: "app/routes/planted.ts", text: 'import { sql } from "drizzle-orm";' },
  "no text in a component that the catalogues do not know": {
    path: "app/ui/planted.tsx",
    text: "export const X = () => <p>Pay now</p>;",
  },
  "a form that posts is a PersonForm": {
    path: "app/routes/planted.tsx",
    text: 'export const X = () => <form className="grid" onSubmit={() => save()} method="post" />;',
  },
  "a test waits for the rejection it expects": {
    path: "db/planted.test.ts",
    text: 'test("no", () => {\n  expect(work()).rejects.toThrow();\n});',
  },
  "a package that few requests need is loaded on demand": {
    path: "modules/rooms/lib/planted.ts",
    text: 'import type { Sharp } from "sharp";\nimport sharp from "sharp";',
  },
  [`no function over ${longestFunction} lines, but for what gathers tests`]: {
    path: "db/planted.fixture.ts",
    text: `export function long() {\n${"  work();\n".repeat(longestFunction)}}`,
  },
  [`no file over ${longestFile} lines, but for those of tests`]: {
    path: "tests/support/planted.ts",
    text: "work();\n".repeat(longestFile + 1),
  },
  [`no file of tests over ${longestTestList} lines`]: {
    path: "tests/e2e/planted.spec.ts",
    text: "work();\n".repeat(longestTestList + 1),
  },
};

/** Which module imports which, without tests and fixtures. */
function moduleGraph(graph: ReadonlyMap<string, Imports>): Map<string, string[]> {
  const modules = new Map(Object.keys(mayImport).map((name) => [name, new Set<string>()]));
  for (const [path, { all }] of graph) {
    if (isTestFile(path)) continue;
    const below = modules.get(moduleOf(path) ?? "");
    for (const target of all.map(moduleOf))
      if (target !== undefined && target !== moduleOf(path)) below?.add(target);
  }
  return new Map([...modules].map(([name, below]) => [name, [...below]]));
}

function loadedGraph(graph: ReadonlyMap<string, Imports>): Map<string, string[]> {
  return new Map([...graph].map(([path, { loaded }]) => [path, loaded]));
}

/** What a program, the build or the test runner starts by its path. */
const started =
  /^(?:deploy|scripts|tests)\/|^[\w-]+\.config\.ts$|^app\/(?:server|root|entry\.server|routes)\.tsx?$|^app\/(?:routes|enhance|worker|islands\/entry)|^db\/seed/;

function deadFiles(graph: ReadonlyMap<string, Imports>): string[] {
  const imported = new Set(
    [...graph].flatMap(([path, { all }]) => (isTestFile(path) || path.startsWith("tests/") ? [] : all)),
  );
  return [...graph.keys()].filter((path) => !isTestFile(path) && !imported.has(path) && !started.test(path));
}

/** What a module's forms may load beside its own files. */
const browserSafe = /^(?:zod|libphonenumber-js|css-tree\/parser|#format|#forms\/\w+)$/;

/** A door of constants loads no package: what a script takes from it weighs what the constants weigh. */
const isConstantsDoor = (path: string) => /^modules\/\w+\/constants\.ts$/.test(path);

/** What a browser could not load of the modules' forms: `forms.ts` of each module, and the files that it loads. */
function unsafeForms(sources: readonly Source[], graph: ReadonlyMap<string, Imports>): string[] {
  const loaded = new Set(
    sources.map(({ path }) => path).filter((path) => /^modules\/\w+\/forms\.ts$/.test(path)),
  );
  for (const path of loaded)
    for (const next of graph.get(path)?.loaded ?? []) if (next.startsWith("modules/")) loaded.add(next);
  return sources
    .filter(({ path }) => loaded.has(path) || isConstantsDoor(path))
    .flatMap((source) =>
      runtimeImports(source)
        .filter((specifier) => !specifier.startsWith("."))
        .filter((specifier) => isConstantsDoor(source.path) || !browserSafe.test(specifier))
        .map((specifier) => `${source.path}: ${specifier}`),
    );
}

function withPlanted(sources: readonly Source[], path: string, text: string): Source[] {
  return [...sources, { path, text }];
}

/** The layers below all modules know none of them. */
function knowsAModule(source: Source): string[] {
  if (!/^(?:db|locales|config|config\.ts|calls\.ts)\b/.test(source.path) || isTestFile(source.path))
    return [];
  return importSpecifiers(source).filter((specifier) => /^#(?:modules|http|views|app)\//.test(specifier));
}

describe("the architecture", () => {
  const sources = allSources();

  for (const [name, rule] of Object.entries(rules)) {
    test(name, () => {
      expect(broken(sources, rule)).toEqual([]);
    });

    test(`a planted breach is detected: ${name}`, () => {
      const breach = planted[name];
      expect(breach).toBeDefined();
      expect(breach && broken([breach], rule)).toHaveLength(1);
    });
  }

  test("a planted value in views.ts, and a type that it declares itself, are caught", () => {
    const planted = (text: string) => loadsViews({ path: "modules/audit/views.ts", text });
    const exported = 'export type { A } from "./lib/a.ts";\n';
    expect(planted(exported)).toEqual([]);
    expect(planted(`${exported}export { b } from "./lib/a.ts";`)).toHaveLength(1);
    expect(planted(`${exported}export type { B } from "#modules/rooms";`)).toHaveLength(1);
    expect(planted(`${exported}export type C = { id: number };`)).toHaveLength(1);
  });

  const graph = readImportGraph(sources);

  test("the module graph of the code is the allowed one, and has no cycle", () => {
    const modules = moduleGraph(graph);
    const used = [...modules].flatMap(([from, below]) => below.map((to) => `${from} ${to}`));
    const allowed = Object.entries(mayImport).flatMap(([from, below]) => below.map((to) => `${from} ${to}`));
    expect(used.sort()).toEqual(allowed.sort());
    expect(findCycles(modules)).toEqual([]);
  });

  test("a planted cycle of modules is detected", () => {
    const planted = withPlanted(
      sources,
      "modules/audit/lib/planted.ts",
      'import { x } from "#modules/escrow";',
    );
    expect(findCycles(moduleGraph(readImportGraph(planted)))).toHaveLength(1);
  });

  test("no files import each other in a cycle", () => {
    expect(findCycles(loadedGraph(graph))).toEqual([]);
  });

  test("a planted cycle of files is detected, and one of types alone is allowed", () => {
    const cycle = (kind: string) =>
      readImportGraph([
        { path: "db/a.ts", text: 'import { b } from "./b.ts"; export const a = b;' },
        { path: "db/b.ts", text: `import ${kind}{ a } from "./a.ts"; export const b = 1;` },
      ]);
    expect(findCycles(loadedGraph(cycle("")))).toEqual([["db/a.ts", "db/b.ts"]]);
    expect(findCycles(loadedGraph(cycle("type ")))).toEqual([]);
  });

  test("no file is dead: every file is started by a program or imported by another that is not a test", () => {
    expect(deadFiles(graph)).toEqual([]);
  });

  test("a planted dead file is detected, also one that only a test imports", () => {
    const planted = withPlanted(
      withPlanted(sources, "db/planted.ts", "export const x = 1;"),
      "db/planted.test.ts",
      'import { x } from "./planted.ts";',
    );
    expect(deadFiles(readImportGraph(planted))).toEqual(["db/planted.ts"]);
  });

  test("forms, and what they load of their module, import only what a browser can load", () => {
    expect(unsafeForms(sources, graph)).toEqual([]);
  });

  test("a planted form that loads the database by way of another file is caught, but not one that takes its types", () => {
    const planted = (kind: string) => [
      { path: "modules/audit/forms.ts", text: 'export { x } from "./lib/planted/forms.ts";' },
      {
        path: "modules/audit/lib/planted/forms.ts",
        text: `import ${kind}{ db } from "#db/client"; export const x = ${kind === "" ? "db" : "1 as typeof db"};`,
      },
    ];
    const caught = (kind: string) => unsafeForms(planted(kind), readImportGraph(planted(kind)));
    expect(caught("type ")).toEqual([]);
    expect(caught("")).toEqual(["modules/audit/lib/planted/forms.ts: #db/client"]);
  });

  test("a planted schema library in a door of constants is caught: scripts take their figures from there", () => {
    const planted = [
      { path: "modules/audit/constants.ts", text: 'import { z } from "zod"; export const x = z;' },
    ];
    expect(unsafeForms(planted, readImportGraph(planted))).toEqual(["modules/audit/constants.ts: zod"]);
  });

  test("a planted unused file and export are detected by knip", () => {
    const tree = mkdtempSync(join(tmpdir(), "midman-knip-"));
    for (const file of ["knip.json", "package.json", "tsconfig.json"]) {
      copyFileSync(join(root, file), join(tree, file));
    }
    mkdirSync(join(tree, "db"));
    mkdirSync(join(tree, "modules/audit"), { recursive: true });
    writeFileSync(join(tree, "db/dead.ts"), "export const dead = 1;\n");
    writeFileSync(join(tree, "db/used.ts"), "export const used = 1;\nexport const unused = 2;\n");
    writeFileSync(join(tree, "modules/audit/index.ts"), 'export { used } from "../../db/used.ts";\n');
    const command = [
      process.execPath,
      join(root, "node_modules/knip/bin/knip-bun.js"),
      "--reporter",
      "compact",
    ];
    const found = Bun.spawnSync(command, { cwd: tree, stdout: "pipe", stderr: "pipe" });
    rmSync(tree, { recursive: true });
    const text = found.stdout.toString();
    expect(found.exitCode).toBe(1);
    expect(text).toContain("db/dead.ts");
    expect(text).toContain("db/used.ts: unused");
    expect(text).not.toContain("modules/audit/index.ts");
  });

  test("every package is pinned to one exact version", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const loose = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    }).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)));
    expect(loose).toEqual([]);
  });
});

describe("a call's description", () => {
  type Pay = () => { ok: true } | { ok: false; code: "AUTH_REQUIRED" | "NOTHING_DUE" | "RECORD_ALTERED" };
  const said = { summary: "Pay what is due", group: "Sandbox" } as const;

  test("names the refusals of its verb: the types refuse a missing and a superfluous one", () => {
    const call = describeCall<Pay>({ ...said, by: "session", refuses: { NOTHING_DUE: true } });
    expect(listedRefusals(call["x-call"])).toEqual(["NOTHING_DUE"]);
    // @ts-expect-error: NOTHING_DUE is missing
    describeCall<Pay>({ ...said, by: "session", refuses: {} });
    // @ts-expect-error: the verb never refuses OWN_TRADE
    describeCall<Pay>({ ...said, by: "session", refuses: { NOTHING_DUE: true, OWN_TRADE: true } });
    // @ts-expect-error: the verb does not require an administrator
    describeCall<Pay>({ ...said, by: "admin", refuses: { NOTHING_DUE: true } });
    // @ts-expect-error: no verb
    describeCall({ ...said, by: "anybody" });
  });
});

describe("a test that expects part of an object", () => {
  test.each([
    ["a time", { at: new Date(0) }, { at: new Date(1) }],
    ["a time in a list", { all: [{ at: new Date(0) }] }, { all: [{ at: new Date(1) }] }],
    ["a map", { of: new Map([[1, 2]]) }, { of: new Map([[1, 3]]) }],
    ["a set", { of: new Set([1]) }, { of: new Set([2]) }],
    ["a pattern", { as: /a/ }, { as: /b/ }],
    ["an error", { by: new Error("a") }, { by: new Error("b") }],
    ["bytes", { of: new Uint8Array([1, 2]) }, { of: new Uint8Array([1]) }],
  ])("compares %s", (_, one, another) => {
    expectMatch({ ...one, more: 1 }, one);
    expect(() => expectMatch(one, another)).toThrow();
  });

  test("does not use Bun's own comparison, which the types forbid", () => {
    // @ts-expect-error: a time
    expect({ at: new Date(0) }).toMatchObject({ at: new Date(1) });
    // @ts-expect-error: a pattern in a list
    expect([{ as: /a/ }]).toMatchObject([{ as: /b/ }]);
    // @ts-expect-error: bytes
    expect({ of: new Uint8Array([1, 2]) }).toMatchObject({ of: new Uint8Array([1]) });
  });
});
