import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const buildFolder = join(import.meta.dirname, "..", "..", "..", "build");
const assetsFolder = join(buildFolder, "client", "assets");

/** A built script: its text, its size packed with Brotli, and how many bytes of each package it has (`.` is the product itself). */
export type BuiltScript = {
  name: string;
  text: string;
  brotliBytes: number;
  packages: Record<string, number>;
};

/** Every script that the build wrote, the largest first. */
export function readBuiltScripts(): BuiltScript[] {
  const parts = JSON.parse(readFileSync(join(buildFolder, "script-parts.json"), "utf8"));
  return readdirSync(assetsFolder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({
      name,
      text: readFileSync(join(assetsFolder, name), "utf8"),
      brotliBytes: readFileSync(join(assetsFolder, `${name}.br`)).length,
      packages: parts[name] ?? {},
    }))
    .sort((one, other) => other.brotliBytes - one.brotliBytes);
}

/** The scripts that a page loads at first which names these entries of `build/scripts.json`: not what they load by `import()` on use. */
export function firstScriptsOf(entries: readonly string[]): BuiltScript[] {
  const all = readBuiltScripts();
  const paths: Record<string, string> = JSON.parse(readFileSync(join(buildFolder, "scripts.json"), "utf8"));
  const named = new Set(
    entries.map((entry) => (paths[entry] ?? `no entry "${entry}"`).split("/").at(-1) ?? ""),
  );
  for (const name of named)
    for (const next of staticImports(all.find((script) => script.name === name)?.text ?? "")) named.add(next);
  return [...named].map((name) => {
    const script = all.find((one) => one.name === name);
    if (script === undefined) throw new Error(`the build has no script "${name}"`);
    return script;
  });
}

/** File names after `from` or a bare `import`; `import("…")` has a bracket. */
function staticImports(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g)].map(([, name = ""]) => name);
}

/** A table of scripts and their packages, for the message of a failed expectation. */
export function describeScripts(scripts: readonly BuiltScript[]): string {
  return scripts
    .map(({ name, brotliBytes, packages }) => `${brotliBytes} ${name} ${JSON.stringify(packages)}`)
    .join("\n");
}
