import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The lines of a .dockerignore, in their order: the last that fits a path decides. */
type Rule = { glob: Bun.Glob; pattern: string; kept: boolean };

function readRules(text: string): Rule[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const pattern = line.replace(/^!/, "").replace(/\/$/, "");
      return { glob: new Bun.Glob(pattern), pattern, kept: line.startsWith("!") };
    });
}

/** What a builder gets of a folder: its files that the .dockerignore there lets through, by their paths. */
export function contextOf(root: string): string[] {
  const rules = readRules(readFileSync(join(root, ".dockerignore"), "utf8"));
  const found: string[] = [];
  const look = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) {
        if (isKept(path, rules)) found.push(path);
      } else if (isKept(path, rules) || rules.some(({ kept, pattern }) => kept && below(pattern, path))) {
        look(path);
      }
    }
  };
  look("");
  return found.sort();
}

/** A rule fits a path, and all below what it fits. */
function isKept(path: string, rules: Rule[]): boolean {
  const parts = path.split("/");
  const above = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  let kept = true;
  for (const rule of rules) if (above.some((one) => rule.glob.match(one))) kept = rule.kept;
  return kept;
}

/** True for a pattern that may fit something below a folder. */
function below(pattern: string, folder: string): boolean {
  return pattern.startsWith(`${folder}/`) || pattern.startsWith("**");
}

/** Lays the context of `root` into `folder`. */
export function copyContext(root: string, folder: string): void {
  for (const path of contextOf(root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
}
