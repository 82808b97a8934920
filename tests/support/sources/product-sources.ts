import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Source } from "./source-analysis.ts";

const sourceRoot = join(import.meta.dir, "..", "..", "..");

/** The product's own sources: without tests, fixtures and what only tests and development use. */
export function productSources(pattern = "{app,modules,db,locales}/**/*.{ts,tsx,js}"): Source[] {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: sourceRoot })];
  return paths
    .filter((path) => !/\.(test|fixture)\.tsx?$/.test(path) && !/\/test-[\w-]+\.ts$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(sourceRoot, path), "utf8") }));
}

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
