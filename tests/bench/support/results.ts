import { existsSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { writeSectionOf } from "../../support/result-sections.ts";
import { judge, keepFigures, type Target } from "./figures.ts";

const file = join(import.meta.dir, "..", "results.md");

const head = `# Figures

The latest figures of the benches (\`bun run bench\`, or each alone), each measured in one run with its references. Machines differ
and are noisy, so only ratios within one run are meaningful. If the load average was well above 0, other work used the cores too:
pages a second then say little, processor times more.
`;

/** Writes one bench's section anew and leaves the others as they are; what it judged so far goes to figures.json. */
export function writeSection(name: string, text: string): void {
  writeSectionOf({ file, head: `${head.trim()}\n\n${targetsTable()}` }, name, text);
  keepFigures(name);
}

/** Stands before the table of all targets, at the head of the page. */
export const targetsMark = "<!-- targets: written by bun run bench -->";

/** That table as it stands: one bench alone leaves it as it was. */
function targetsTable(): string {
  const page = existsSync(file) ? readFileSync(file, "utf8") : "";
  const from = page.indexOf(targetsMark);
  return from < 0 ? "" : page.slice(from, page.search(/^## /m)).trim();
}

/** Where and when: date, cores, processor, Bun, and how busy the machine was before the bench began. */
export function machine(others: string[] = []): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  const busy = (loadavg()[0] ?? 0).toFixed(2);
  const parts = [`Bun ${Bun.version}`, ...others, `load average ${busy} before the start`];
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores of ${model}, ${parts.join(", ")}.`;
}

/** A Markdown table. */
export function table(columns: string[], rows: Array<Array<string | number>>): string {
  const line = (cells: Array<string | number>) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The middle one. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2;
}

/** The smallest value that so many per cent of all are no larger than. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

/** The smallest and the largest, as `3.1–3.4`. */
export function range(values: number[], digits = 1): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

/** One line of the verdict: a ratio, or a figure in another unit, against what it should be. It is kept for figures.json. */
export function verdict(
  what: string,
  measured: number,
  target: Target,
  unit = "×",
  digits = 2,
): Array<string | number> {
  const { met, asked } = judge(what, measured, target, unit);
  return [what, `${measured.toFixed(digits)} ${unit}`.trim(), asked, met ? "met" : "**not met**"];
}
