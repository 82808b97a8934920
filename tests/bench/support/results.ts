import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { writeSectionOf } from "../../support/sections.ts";

const file = join(import.meta.dir, "..", "results.md");

const head = `# Figures

What \`bun run bench:ssr\`, \`bench:fanout\` and \`bench:phone\` measured last, each beside its references in one run. Machines differ
and are noisy: only the ratios mean something, and only of one run. Beside a load average well above 0 other work had its share of
the cores: pages a second then say little, processor times more.
`;

/** Writes one bench's section anew and leaves the others as they are. */
export function writeSection(name: string, text: string): void {
  writeSectionOf({ file, head }, name, text);
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

/** The smallest and the largest, as `3.1–3.4`. */
export function range(values: number[], digits = 1): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

/** One line of the verdict: a ratio against what it should be. */
export function verdict(
  what: string,
  ratio: number,
  target: { atLeast?: number; atMost?: number },
): Array<string | number> {
  const met =
    ratio >= (target.atLeast ?? Number.NEGATIVE_INFINITY) &&
    ratio <= (target.atMost ?? Number.POSITIVE_INFINITY);
  const asked = target.atLeast === undefined ? `≤ ${target.atMost} ×` : `≥ ${target.atLeast} ×`;
  return [what, `${ratio.toFixed(2)} ×`, asked, met ? "met" : "**not met**"];
}
