import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Writes one section (`## name`) of a page of results anew, below `head`, and leaves the others as they are. */
export function writeSectionOf(page: { file: string; head: string }, name: string, text: string): void {
  const [, ...old] = existsSync(page.file) ? readFileSync(page.file, "utf8").split(/^(?=## )/m) : [];
  const others = old
    .filter((section) => !section.startsWith(`## ${name}\n`))
    .map((section) => section.trim());
  const sections = [...others, `## ${name}\n\n${text.trim()}`].sort();
  writeFileSync(page.file, `${[page.head.trim(), ...sections].join("\n\n")}\n`);
}
