import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Source } from "./source-analysis.ts";

const sourceRoot = join(import.meta.dir, "..", "..", "..");

/** Every source of the repository: the product, its scripts and configuration, the tests and what only they use. */
export function allSources(): Source[] {
  return [
    ...readSources("{app,config,db,deploy,emails,locales,modules,scripts,tests}/**/*.{ts,tsx,js,mjs}"),
    ...readSources("*.{ts,tsx,js,mjs}"),
  ];
}

/** The product's own sources: without tests, fixtures and what only tests and development use. */
export function productSources(pattern = "{app,modules,db,locales}/**/*.{ts,tsx,js}"): Source[] {
  return readSources(pattern, (path) => !isTestFile(path) && !/\/test-[\w-]+\.ts$/.test(path));
}

function readSources(pattern: string, isWanted: (path: string) => boolean = () => true): Source[] {
  return [...new Bun.Glob(pattern).scanSync({ cwd: sourceRoot })]
    .filter(isWanted)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(sourceRoot, path), "utf8") }));
}

/** True for a file of tests. */
export const isTestList = (path: string) => /\.(test|spec)\.tsx?$/.test(path);

/** True for a file of tests or a fixture of them. */
export const isTestFile = (path: string) => isTestList(path) || /\.fixture\.tsx?$/.test(path);

/** The paths of the sources in which `found` is, comments left aside. */
export function findSourcesWith(found: RegExp, sources: Source[] = productSources()): string[] {
  const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return sources.filter(({ text }) => found.test(code(text))).map(({ path }) => path);
}

const importScanners = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
};

/** Every module a source asks for when it runs; what it takes types from is left aside. */
export function runtimeImports({ path, text }: Source): string[] {
  const reader = path.endsWith(".tsx") ? importScanners.tsx : importScanners.ts;
  return reader.scanImports(text).map((found) => found.path);
}
