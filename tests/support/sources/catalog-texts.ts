import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "#locales";

const repositoryRoot = join(import.meta.dir, "..", "..", "..");
const localesFolder = join(repositoryRoot, "locales");

/** One text: its key, or the document and line it stands at. */
export type Text = { key: string; text: string };

type Tree = { [key: string]: string | Tree };

/** Every text of a language's catalogue, by its whole key. */
export function readCatalogTexts(language: Language): Text[] {
  return flattenTexts(JSON.parse(readFileSync(join(localesFolder, `${language}.json`), "utf8")) as Tree);
}

function flattenTexts(tree: Tree, under = ""): Text[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "string"
      ? [{ key: `${under}${name}`, text: value }]
      : flattenTexts(value, `${under}${name}.`),
  );
}

/** Every line of a language's documents. */
export function documentLines(language: Language): Text[] {
  const files = readdirSync(join(localesFolder, "documents")).filter((file) =>
    file.endsWith(`.${language}.md`),
  );
  return files.flatMap((file) =>
    readFileSync(join(localesFolder, "documents", file), "utf8")
      .split("\n")
      .map((text, line) => ({ key: `${file}:${line + 1}`, text })),
  );
}

/** What the glossary's last column names: the beginnings of words that Mongolian texts do without. */
export function wordsNotToBeUsed(): string[] {
  const rows = readFileSync(join(localesFolder, "glossary.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| English"));
  return rows.flatMap((row) => (row.split("|")[4] ?? "").split(",").flatMap((word) => word.trim() || []));
}

/** The glossary's words as they stand at the beginning of a word, whatever their case. */
export const wordStartPattern = (word: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "iu");

const placeholderPattern = /\{\{\s*([\w]+(?:,\s*\w+)?)\s*\}\}/g;

/** The placeholders of a text, with their formats, in order. */
export const listPlaceholders = (text: string): string[] =>
  [...text.matchAll(placeholderPattern)].map(([, name = ""]) => name.replaceAll(/\s/g, "")).sort();

/** A text without placeholders, addresses, code and codes of transactions: what is left is words. */
export const stripToWords = (text: string): string =>
  text
    .replaceAll(/\{\{[^}]*\}\}|`[^`]*`|\]\([^)]*\)|\{#[^}]*\}/g, " ")
    .replaceAll(/\S+@\S+|https?:\S+|\bMM-[0-9A-Z]+/g, " ");

/** The sources whose texts a person may read: everything but tests and the catalogues themselves. */
export function readSourceTexts(): string {
  const glob = new Bun.Glob("{app,modules,db,scripts,locales,emails}/**/*.{ts,tsx,hbs}");
  return [...glob.scanSync({ cwd: repositoryRoot })]
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(join(repositoryRoot, path), "utf8"))
    .join("\n");
}

/** What the mail templates ask for: `mail.<template>.<text>`, or the beginning of such a key where a value ends it. */
export function mailTexts(): { whole: Set<string>; begun: string[] } {
  const whole = new Set<string>();
  const begun: string[] = [];
  const glob = new Bun.Glob("emails/**/*.hbs");
  for (const path of glob.scanSync({ cwd: repositoryRoot })) {
    const template = /([^/]+)\.hbs$/.exec(path)?.[1] ?? "";
    const source = readFileSync(join(repositoryRoot, path), "utf8");
    for (const [, helper, name = "", value] of source.matchAll(/\((t|common) "([\w.]+)"( \w+)?\)/g)) {
      const key = `mail.${helper === "t" ? template : "common"}.${name}`;
      if (value === undefined) whole.add(key);
      else begun.push(`${key}.`);
    }
    for (const [, name] of source.matchAll(/\{\{\{?common "([\w.]+)"\}\}/g)) whole.add(`mail.common.${name}`);
    whole.add(`mail.${template}.subject`).add(`mail.${template}.heading`);
  }
  return { whole, begun };
}
