/**
 * Sets one text in both catalogues: `bun scripts/locale.ts set errors.ROOM_FULL "This room is full" "…"`; several triples may follow each
 * other. `unset <key> …` removes texts from both, `list [<prefix>]` shows them side by side. Keys stay sorted, and a lock file makes
 * concurrent runs wait for each other.
 */
import { closeSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Tree = { [key: string]: string | Tree };
const localesFolder = join(import.meta.dir, "..", "locales");

function putText(tree: Tree, path: string[], text: string): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  if (rest.length === 0) {
    tree[head] = text;
    return;
  }
  const child = tree[head];
  const branch: Tree = typeof child === "object" ? child : {};
  tree[head] = branch;
  putText(branch, rest, text);
}

function dropText(tree: Tree, path: string[]): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  const child = tree[head];
  if (typeof child === "object" && rest.length > 0) {
    dropText(child, rest);
    if (Object.keys(child).length > 0) return;
  } else if (rest.length > 0 || typeof child !== "string") {
    throw new Error(`there is no text ${path.join(".")}`);
  }
  delete tree[head];
}

function flattenTree(tree: Tree, under = ""): Array<[string, string]> {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[under + key, value] as [string, string]]
      : flattenTree(value, `${under}${key}.`),
  );
}

function sortTree(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, typeof value === "string" ? value : sortTree(value)]),
  );
}

const readCatalog = (language: string) =>
  JSON.parse(readFileSync(join(localesFolder, `${language}.json`), "utf8")) as Tree;

function updateCatalog(language: string, change: (tree: Tree) => void): void {
  const tree = readCatalog(language);
  change(tree);
  writeFileSync(join(localesFolder, `${language}.json`), `${JSON.stringify(sortTree(tree), null, 2)}\n`);
}

async function withLock(work: () => void): Promise<void> {
  const lock = join(localesFolder, ".lock");
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      closeSync(openSync(lock, "wx"));
    } catch {
      await Bun.sleep(50);
      continue;
    }
    try {
      return work();
    } finally {
      unlinkSync(lock);
    }
  }
  throw new Error("locales/.lock exists; remove it if no other run is in progress");
}

function setTexts(words: string[]): void {
  const triples = Array.from({ length: words.length / 3 }, (_, i) => words.slice(i * 3, i * 3 + 3));
  for (const [place, language] of ["en", "mn"].entries())
    updateCatalog(language, (tree) => {
      for (const [key = "", ...texts] of triples) putText(tree, key.split("."), texts[place] ?? "");
    });
}

function unsetTexts(keys: string[]): void {
  for (const language of ["en", "mn"])
    updateCatalog(language, (tree) => {
      for (const key of keys) dropText(tree, key.split("."));
    });
}

function listTexts(beginning = ""): void {
  const mongolian = new Map(flattenTree(readCatalog("mn")));
  for (const [key, text] of flattenTree(readCatalog("en")))
    if (key.startsWith(beginning)) console.log(`${key}\n  en ${text}\n  mn ${mongolian.get(key) ?? ""}`);
}

const [commandName, ...commandWords] = process.argv.slice(2);
if (commandName === "set" && commandWords.length > 0 && commandWords.length % 3 === 0)
  await withLock(() => setTexts(commandWords));
else if (commandName === "unset" && commandWords.length > 0) await withLock(() => unsetTexts(commandWords));
else if (commandName === "list" && commandWords.length < 2) listTexts(commandWords[0]);
else {
  console.error(`usage: bun scripts/locale.ts set <key> "<en>" "<mn>" [<key> "<en>" "<mn>" …]
       bun scripts/locale.ts unset <key> [<key> …]
       bun scripts/locale.ts list [<beginning of a key>]`);
  process.exit(2);
}
