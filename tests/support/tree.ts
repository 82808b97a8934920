import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Source } from "./source.ts";

const root = join(import.meta.dir, "..", "..");

/** The product's own sources: without tests, fixtures and what only tests and development use. */
export function product(pattern = "{app,modules,db,locales}/**/*.{ts,tsx,js}"): Source[] {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: root })];
  return paths
    .filter((path) => !/\.(test|fixture)\.tsx?$/.test(path) && !/\/test-[\w-]+\.ts$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** The paths of the sources in which `found` is, comments left aside. */
export function where(found: RegExp, sources: Source[] = product()): string[] {
  const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return sources.filter(({ text }) => found.test(code(text))).map(({ path }) => path);
}

const readers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

/** Every module a source asks for when it runs; what it takes types from is left aside. */
export function imported({ path, text }: Source): string[] {
  const reader = path.endsWith(".tsx") ? readers.tsx : readers.ts;
  return reader.scanImports(text).map((found) => found.path);
}
