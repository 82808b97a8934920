import { dirname, join, normalize } from "node:path";
import { parseSync } from "vite";
import manifest from "../../../package.json" with { type: "json" };
import type { Source } from "./source-analysis.ts";

/** The files of a tree that one file imports. `loaded` leaves out what is imported for its types alone and what loads later (`import()`). */
export type Imports = { loaded: string[]; all: string[] };

/** Reads from the sources which file imports which; imports of packages and of files outside the tree are left out. */
export function readImportGraph(sources: readonly Source[]): Map<string, Imports> {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(sources.map((source) => [source.path, readImports(source, paths)]));
}

function readImports({ path, text }: Source, paths: ReadonlySet<string>): Imports {
  const { module } = parseSync(path, text);
  const imports = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isLoaded: entries.length === 0 || entries.some(({ isType }) => !isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest, isType }) => ({
        specifier: moduleRequest?.value ?? "",
        isLoaded: !isType,
      })),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: text.slice(start, end).replace(/^["'`]|["'`]$/g, ""),
      isLoaded: false,
    })),
  ];
  const found = imports.flatMap(({ specifier, isLoaded }) => {
    const target = resolveSpecifier(path, specifier);
    return target !== undefined && paths.has(target) ? [{ target, isLoaded }] : [];
  });
  const targets = (of: typeof found) => [...new Set(of.map(({ target }) => target))];
  return { loaded: targets(found.filter(({ isLoaded }) => isLoaded)), all: targets(found) };
}

function resolveSpecifier(from: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return normalize(join(dirname(from), specifier));
  for (const [name, place] of Object.entries(manifest.imports)) {
    const [prefix = "", suffix] = name.split("*");
    if (suffix === undefined ? specifier === name : specifier.startsWith(prefix))
      return normalize(place.replace("*", specifier.slice(prefix.length)));
  }
  return undefined;
}

/** Groups of files or modules that import each other in a circle (Tarjan's strongly connected components), each sorted. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const pending: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string) => {
    const index = order.size;
    order.set(node, index);
    lowest.set(node, index);
    pending.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (pending.includes(next))
        lowest.set(node, Math.min(lowest.get(node) ?? index, lowest.get(next) ?? index));
    }
    if (lowest.get(node) !== index) return;
    const group = pending.splice(pending.indexOf(node));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
