import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What we change in packages: each hunk says what for, and what is installed is what was changed. */

const root = join(import.meta.dir, "../..");
const { patchedDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const patches = Object.entries(patchedDependencies as Record<string, string>);

type Hunk = { file: string; parts: string[]; after: string };

/** The words before the first change, and the hunks with what stands there once they are applied. */
function read(patch: string): { head: string; hunks: Hunk[] } {
  const start = patch.indexOf("diff --git ");
  const hunks: Hunk[] = [];
  let file = "";
  let lines: string[] = [];
  const hunk = /^@@ -\S+ \+\S+ @@ ?(.*)$/;
  for (const line of patch.slice(start).split("\n")) {
    const [, parts] = hunk.exec(line) ?? [];
    if (line.startsWith("+++ b/")) file = line.slice(6);
    else if (line.startsWith("diff --git ")) lines = [];
    else if (parts !== undefined) {
      lines = [];
      hunks.push({ file, parts: parts.split(", ").filter(Boolean), after: "" });
    } else if (/^[ +]/.test(line) && hunks.length > 0) {
      lines.push(line.slice(1));
      const last = hunks.at(-1);
      if (last) last.after = lines.join("\n");
    }
  }
  return { head: patch.slice(0, start), hunks };
}

test("no patch is unused", () => {
  const files = readdirSync(join(root, "patches")).map((file) => `patches/${file}`);
  expect(files.sort()).toEqual(patches.map(([, file]) => file).sort());
});

describe.each(patches)("the patch of %s", (name, path) => {
  const { head, hunks } = read(readFileSync(join(root, path), "utf8"));

  test("says for every change what it is for, and when it can be removed", () => {
    const parts = [...head.matchAll(/^(\w+) {2,}\S/gm)].map(([, part]) => part ?? "");
    expect(hunks.length).toBeGreaterThan(0);
    expect(head.match(/^ +Goes: /gm) ?? []).toHaveLength(parts.length);
    expect(hunks.filter((each) => each.parts.length === 0)).toEqual([]);
    expect([...new Set(hunks.flatMap((each) => each.parts))].sort()).toEqual(parts.sort());
  });

  test("is installed", () => {
    const folder = join(root, "node_modules", name.slice(0, name.lastIndexOf("@")));
    for (const { file, after } of hunks) expect(readFileSync(join(folder, file), "utf8")).toContain(after);
  });
});
