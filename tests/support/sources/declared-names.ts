import { parseSync } from "vite";
import type { Source } from "./source-analysis.ts";

/** A name that a file declares at its top level. */
export type DeclaredName = { path: string; name: string; isExported: boolean };

type Declaration = {
  type: string;
  id?: { name?: string } | null;
  declaration?: Declaration | null;
  declarations?: ReadonlyArray<{ id: Pattern }>;
};
type Pattern = {
  type: string;
  name?: string;
  properties?: readonly { value?: Pattern }[];
  elements?: readonly (Pattern | null)[];
};

/** Exports that React Router gives their names. */
const routerExports = new Set(["action", "handle", "headers", "links", "loader", "meta", "middleware"]);

/** Reads the top-level declarations of the files: functions, classes, types and variables. A name that a file declares twice counts once. */
export function readDeclaredNames(sources: readonly Source[]): DeclaredName[] {
  return sources.flatMap(({ path, text }) => {
    const names = new Map<string, boolean>();
    for (const statement of parseSync(path, text).program.body as unknown as Declaration[]) {
      const isExported = statement.type.startsWith("Export");
      const declared = isExported ? statement.declaration : statement;
      for (const name of declared ? namesOf(declared) : []) {
        names.set(name, isExported || names.get(name) === true);
      }
    }
    return [...names].map(([name, isExported]) => ({ path, name, isExported }));
  });
}

function namesOf(declaration: Declaration): string[] {
  if (declaration.declarations) return declaration.declarations.flatMap(({ id }) => boundNames(id));
  const isNamed = /^(Function|Class|TSTypeAlias|TSInterface)Declaration$|^TSDeclareFunction$/.test(
    declaration.type,
  );
  return isNamed && declaration.id?.name !== undefined ? [declaration.id.name] : [];
}

function boundNames(pattern: Pattern | null | undefined): string[] {
  if (!pattern) return [];
  if (pattern.type === "Identifier") return pattern.name === undefined ? [] : [pattern.name];
  const inner = [...(pattern.properties ?? []).map(({ value }) => value), ...(pattern.elements ?? [])];
  return inner.flatMap(boundNames);
}

/** Whether React Router requires this name: `loader`, `action` and their like, exported by a file of `app/`. */
export function isRouterName({ path, name, isExported }: DeclaredName): boolean {
  return isExported && path.startsWith("app/") && routerExports.has(name);
}

/** Whether a name is one lower-case word, which seldom says of what. */
export const isOneWord = ({ name }: DeclaredName) => /^[a-z]+$/.test(name);

const irregularParticiples =
  "begun|bought|broken|built|chosen|done|drawn|fallen|found|given|gone|got|heard|held|hidden|kept|known|laid|left|lost|made|met|paid|put|read|said|seen|sent|set|shown|sold|spent|spoken|taken|told|understood|withdrawn|written";
const participlePattern = new RegExp(`^(?:[a-z]+(?:ed|ing)|${irregularParticiples})$`, "i");
/** Nouns and verbs that only look like participles. */
const participleLookalikes = new Set([
  "embed",
  "feed",
  "need",
  "ping",
  "read",
  "seed",
  "set",
  "setting",
  "string",
]);

/** Whether a name is a participle alone (`told`, `Settled`, `pending`): a state, without what is in it. */
export const isBareParticiple = ({ name }: DeclaredName) =>
  /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(name) &&
  participlePattern.test(name) &&
  !participleLookalikes.has(name.toLowerCase());

/** Exported names that three files or more define, each with its files. */
export function findRepeatedExports(
  names: readonly DeclaredName[],
): Array<{ name: string; paths: string[] }> {
  const files = new Map<string, string[]>();
  for (const one of names.filter((declared) => declared.isExported && !isRouterName(declared))) {
    files.set(one.name, [...(files.get(one.name) ?? []), one.path]);
  }
  return [...files].filter(([, paths]) => paths.length >= 3).map(([name, paths]) => ({ name, paths }));
}
