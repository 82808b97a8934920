/**
 * Sets one text in both catalogues: `bun scripts/locale.ts set errors.ROOM_FULL "This room is full" "…"`.
 * Several pairs of three may follow each other. Keys are kept sorted; a lock file lets two runs follow each other.
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

function sorted(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, typeof value === "string" ? value : sorted(value)]),
  );
}

function update(language: string, pairs: Array<[string, string]>): void {
  const file = join(folder, `${language}.json`);
  const tree = JSON.parse(readFileSync(file, "utf8")) as Tree;
  for (const [key, text] of pairs) put(tree, key.split("."), text);
  writeFileSync(file, `${JSON.stringify(sorted(tree), null, 2)}\n`);
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

const [command, ...words] = process.argv.slice(2);
if (command !== "set" || words.length === 0 || words.length % 3 !== 0) {
  console.error('usage: bun scripts/locale.ts set <key> "<en>" "<mn>" [<key> "<en>" "<mn>" …]');
  process.exit(2);
}
const triples = Array.from({ length: words.length / 3 }, (_, i) => words.slice(i * 3, i * 3 + 3));
await withLock(() => {
  update(
    "en",
    triples.map(([key = "", en = ""]) => [key, en]),
  );
  update(
    "mn",
    triples.map(([key = "", , mn = ""]) => [key, mn]),
  );
});
