import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a figure should be, both ends included. */
export type Target = { atLeast?: number; atMost?: number };

/** One figure beside its target. `measured` is null where it could not be measured. */
export type Figure = { what: string; measured: number | null; unit: string; asked: string; met: boolean };

/** All figures of one bench's last run. */
export type Figures = Record<string, { date: string; figures: Figure[] }>;

const file = join(import.meta.dir, "..", "figures.json");
const judged: Figure[] = [];

/** Holds a figure against its target and keeps it until `keepFigures`. */
export function judge(what: string, measured: number, target: Target, unit: string): Figure {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = target;
  const known = Number.isFinite(measured);
  const sign = target.atLeast === undefined ? "≤" : "≥";
  const figure = {
    what,
    measured: known ? Number(measured.toPrecision(4)) : null,
    unit,
    asked: `${sign} ${(target.atLeast ?? target.atMost)?.toLocaleString("en-US")} ${unit}`.trim(),
    met: known && measured >= atLeast && measured <= atMost,
  };
  judged.push(figure);
  return figure;
}

/** Writes what was judged since the last time as the figures of that bench, and leaves the other benches' alone. */
export function keepFigures(bench: string): void {
  const date = new Date().toISOString().slice(0, 10);
  const all = { ...readFigures(), [bench]: { date, figures: judged.splice(0) } };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** What the benches measured last. */
export function readFigures(): Figures {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Figures) : {};
}
