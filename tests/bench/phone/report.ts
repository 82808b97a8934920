import { judge } from "../support/figures.ts";
import { range, table, verdict, writeSection } from "../support/results.ts";
import { lighthouseVersion, type Scores } from "./lighthouse.ts";
import { type Load, targets, type Visit } from "./load.ts";

/** One page as somebody opens it; `open` to anyone, search engines too. */
export type Page = { name: string; open: boolean; visit: Visit };

type Measured = { page: Page; load: Load; shift: number; scores?: Scores | Error };
type Paint = { name: string; full: number[]; bare: number[]; ratio: number };

const met = (well: boolean) => (well ? "met" : "**not met**");

/** Writes the section of bench:phone and shows it. */
export function report(found: {
  about: string;
  measured: Measured[];
  paints: Paint[];
  rounds: number;
  browser: string;
}): void {
  const text = [
    `${found.about} Chromium ${found.browser}, Lighthouse ${lighthouseVersion}.`,
    "Bytes are those of a cold load over the wire, bodies packed with Brotli, answers' headers not counted.",
    bytes(found.measured),
    `Layout shift while loading at 400 Kbit/s and 400 ms there and back: ${shifts(found.measured)}.`,
    `Lighthouse, mobile, median of ${found.rounds} runs. Target: performance ≥ 98 (100 on public pages), accessibility and best
practices 100, SEO 100 on public pages.`,
    scores(found.measured),
    `Largest paint at 400 Kbit/s and 400 ms, cold, in ms: median of ${found.rounds}, beside the same HTML with its CSS and JS blocked.`,
    paints(found.paints),
  ].join("\n\n");
  judgeAll(found.measured);
  writeSection("bench:phone", text);
  console.log(text);
}

/** The worst of each kind, for figures.json. */
function judgeAll(measured: Measured[]): void {
  const most = (of: (one: Measured) => number, among = measured) => Math.max(...among.map(of));
  const open = measured.filter(({ page }) => page.open);
  const rooms = measured.filter(({ page }) => page.name === "room");
  const others = measured.filter(({ page }) => page.name !== "room");
  const script = ({ load }: Measured) => load.scriptBytes;
  const flight = most(({ load }) => load.documentBytes + load.styleBytes, open);
  judge("first flight of a public page", flight, { atMost: targets.flight }, "bytes");
  judge("script outside the room", most(script, others), { atMost: targets.script }, "bytes");
  judge("script of the room", most(script, rooms), { atMost: targets.roomScript }, "bytes");
  judge(
    "layout shift",
    most(({ shift }) => shift),
    { atMost: 0 },
    "",
  );
  // A run of Lighthouse that failed has no figure, and is not met.
  const worst = (among: Measured[], parts: Array<keyof Omit<Scores, "faults">>) =>
    Math.min(
      ...among.flatMap(({ scores }) =>
        scores === undefined || scores instanceof Error ? [Number.NaN] : parts.map((part) => scores[part]),
      ),
    );
  const closed = measured.filter(({ page }) => !page.open);
  const full = ["performance", "accessibility", "best-practices", "seo"] as const;
  judge("Lighthouse, all four of public pages", worst(open, [...full]), { atLeast: 100 }, "");
  judge("Lighthouse, performance of others", worst(closed, ["performance"]), { atLeast: 98 }, "");
  judge(
    "Lighthouse, the rest of others",
    worst(closed, ["accessibility", "best-practices"]),
    { atLeast: 100 },
    "",
  );
}

function bytes(measured: Measured[]): string {
  const rows = measured.map(({ page, load }) => {
    const flight = load.documentBytes + load.styleBytes;
    const most = page.name === "room" ? targets.roomScript : targets.script;
    const well =
      (!page.open || flight <= targets.flight) && load.scriptBytes <= most && load.fonts.length === 0;
    return [
      `${page.name} (${page.visit.language})`,
      load.documentBytes,
      load.styleBytes,
      flight,
      load.scriptBytes,
      load.requests,
      load.foreign.length,
      load.fonts.length,
      met(well && load.foreign.length === 0),
    ];
  });
  const columns = ["page", "HTML", "CSS", "both", "JS", "requests", "foreign", "fonts"];
  const asked = ["target", "", "", `≤ ${targets.flight}, public`, "≤ 4,096; room ≤ 76,800", "", "0", "0", ""];
  return table([...columns, ""], [...rows, asked]);
}

function shifts(measured: Measured[]): string {
  const moved = measured.filter(({ shift }) => shift > 0);
  if (moved.length === 0) return "0 on every page (target 0, met)";
  const said = moved.map(({ page, shift }) => `${page.name} (${page.visit.language}) ${shift.toFixed(4)}`);
  return `${said.join(", ")}; 0 on all others (target 0, **not met**)`;
}

function scores(measured: Measured[]): string {
  const rows = measured.map(({ page, scores }) => {
    const name = `${page.name} (${page.visit.language})`;
    if (scores === undefined || scores instanceof Error) {
      return [name, "–", "–", "–", "–", "not measured", scores?.message ?? ""];
    }
    const well =
      scores.performance >= (page.open ? 100 : 98) &&
      scores.accessibility === 100 &&
      scores["best-practices"] === 100 &&
      (!page.open || scores.seo === 100);
    const four = [scores.performance, scores.accessibility, scores["best-practices"], scores.seo];
    return [name, ...four, met(well), scores.faults.join(", ")];
  });
  return table(["page", "performance", "accessibility", "best practices", "SEO", "", "points lost by"], rows);
}

function paints(found: Paint[]): string {
  const rows = found.map(({ name, full, bare, ratio }) => [
    ...verdict(name, ratio, { atMost: 1.5 }),
    range(full, 0),
    range(bare, 0),
  ]);
  return table(["page", "ratio", "target", "", "whole page", "bare HTML"], rows);
}
