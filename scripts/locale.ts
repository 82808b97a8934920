/**
 * Sets one text in both catalogues: `bun scripts/locale.ts set errors.ROOM_FULL "This room is full" "…"`; several
 * triples may follow each other. `unset <key> …` takes texts out of both, `list [<beginning>]` shows them side by side.
 * Keys are kept sorted; a lock file lets two runs follow each other.
 */
import { closeSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Tree = { [key: string]: string | Tree };
const folder = join(import.meta.dir, "..", "locales");

function put(tree: Tree, path: string[], text: string): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  if (rest.length === 0) {
    tree[head] = text;
    return;
  }
  const child = tree[head];
  const branch: Tree = typeof child === "object" ? child : {};
  tree[head] = branch;
  put(branch, rest, text);
}

function drop(tree: Tree, path: string[]): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  const child = tree[head];
  if (typeof child === "object" && rest.length > 0) {
    drop(child, rest);
    if (Object.keys(child).length > 0) return;
  } else if (rest.length > 0 || typeof child !== "string") {
    throw new Error(`there is no text ${path.join(".")}`);
  }
  delete tree[head];
}

function leaves(tree: Tree, under = ""): Array<[string, string]> {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[under + key, value] as [string, string]] : leaves(value, `${under}${key}.`),
  );
}

function sorted(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, typeof value === "string" ? value : sorted(value)]),
  );
}

const read = (language: string) => JSON.parse(readFileSync(join(folder, `${language}.json`), "utf8")) as Tree;

function update(language: string, change: (tree: Tree) => void): void {
  const tree = read(language);
  change(tree);
  writeFileSync(join(folder, `${language}.json`), `${JSON.stringify(sorted(tree), null, 2)}\n`);
}

async function withLock(work: () => void): Promise<void> {
  const lock = join(folder, ".lock");
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
  throw new Error("locales/.lock is held; remove it if no other run is under way");
}

function set(words: string[]): void {
  const triples = Array.from({ length: words.length / 3 }, (_, i) => words.slice(i * 3, i * 3 + 3));
  for (const [place, language] of ["en", "mn"].entries())
    update(language, (tree) => {
      for (const [key = "", ...texts] of triples) put(tree, key.split("."), texts[place] ?? "");
    });
}

function unset(keys: string[]): void {
  for (const language of ["en", "mn"])
    update(language, (tree) => {
      for (const key of keys) drop(tree, key.split("."));
    });
}

function list(beginning = ""): void {
  const mongolian = new Map(leaves(read("mn")));
  for (const [key, text] of leaves(read("en")))
    if (key.startsWith(beginning)) console.log(`${key}\n  en ${text}\n  mn ${mongolian.get(key) ?? ""}`);
}

const [command, ...words] = process.argv.slice(2);
if (command === "set" && words.length > 0 && words.length % 3 === 0) await withLock(() => set(words));
else if (command === "unset" && words.length > 0) await withLock(() => unset(words));
else if (command === "list" && words.length < 2) list(words[0]);
else {
  console.error(`usage: bun scripts/locale.ts set <key> "<en>" "<mn>" [<key> "<en>" "<mn>" …]
       bun scripts/locale.ts unset <key> [<key> …]
       bun scripts/locale.ts list [<beginning of a key>]`);
  process.exit(2);
}
