import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { notApplicable } from "../security/not-applicable.ts";
import { requirements } from "../security/requirements.ts";
import { reasons } from "./reasons.ts";
import { type Figure, readFigures } from "./support/figures.ts";
import { table, targetsMark } from "./support/results.ts";

/** One target: the bench whose figures prove it, and which of them. */
type Wanted = { what: string; target: string; bench: string; figures: RegExp };

const wanted: readonly Wanted[] = [
  {
    what: "Public pages: HTML + CSS over the wire",
    target: "≤ 14.6 KB",
    bench: "bench:phone",
    figures: /^first flight/,
  },
  {
    what: "JavaScript outside the room and the template editor",
    target: "≤ 4 KB",
    bench: "bench:phone",
    figures: /^script outside/,
  },
  { what: "Room: all JavaScript", target: "≤ 75 KB", bench: "bench:phone", figures: /^script of the room/ },
  { what: "Lighthouse mobile", target: "≥ 98, public 100", bench: "bench:phone", figures: /^Lighthouse/ },
  {
    what: "LCP at 400 Kbit/s, cold, landing and room",
    target: "≤ 1.5 × bare HTML",
    bench: "bench:phone",
    figures: /^(landing|room)$/,
  },
  { what: "Layout shift", target: "0", bench: "bench:phone", figures: /^layout shift/ },
  {
    what: "Key press to own bubble painted, processor slowed 4 ×",
    target: "p95 ≤ 50 ms",
    bench: "bench:hand",
    figures: /^key press/,
  },
  {
    what: "One phone's send to the other's paint, loopback",
    target: "p95 ≤ 150 ms",
    bench: "bench:hand",
    figures: /^press of one/,
  },
  {
    what: "Trade action answered in place, 150 ms RTT",
    target: "p95 ≤ 300 ms",
    bench: "bench:hand",
    figures: /^trade action/,
  },
  {
    what: "SSR of the room, beside bare `renderToString`",
    target: "≥ 0.5 ×",
    bench: "bench:ssr",
    figures: /bare `renderToString`/,
  },
  {
    what: "the same, beside `react-router-serve`",
    target: "≥ 2 ×",
    bench: "bench:ssr",
    figures: /react-router-serve/,
  },
  { what: "Fan-out, beside bare Bun", target: "≤ 1.5 ×", bench: "bench:fanout", figures: /bare Bun/ },
  {
    what: "Fan-out, beside Socket.IO",
    target: "≥ 1.5 × cheaper",
    bench: "bench:fanout",
    figures: /Socket\.IO/,
  },
  { what: "Idle memory per socket", target: "≤ 2 × bare Bun", bench: "bench:sockets", figures: /bare Bun/ },
  {
    what: "Durable messages/s, 1,000 rooms",
    target: "≥ 0.6 × pgbench",
    bench: "bench:messages",
    figures: /./,
  },
  {
    what: "Confirm / check-payment transactions/s",
    target: "≥ 0.6 × pgbench",
    bench: "bench:money",
    figures: /./,
  },
  {
    what: "Growth: the administrators' pages",
    target: "median ≤ 1.3 ×, no sequential scan",
    bench: "bench:backoffice",
    figures: /median|sequential/,
  },
  {
    what: "Growth: the members' pages",
    target: "median ≤ 1.3 ×, no sequential scan",
    bench: "bench:growth",
    figures: /median|sequential/,
  },
  {
    what: "2,000 open sockets for 10 minutes and more",
    target: "drift < 5 %",
    bench: "bench:soak",
    figures: /./,
  },
];

/** What a fault suite counted, and the counts it must reach, or must not have. */
type Proved = { what: string; target: string; suite: string; least: Record<string, number>; none: string[] };

const proved: readonly Proved[] = [
  {
    what: "Acknowledged messages lost, doubled or out of order, of 100,000",
    target: "0",
    suite: "messages",
    least: { acknowledged: 100_000 },
    none: ["lost", "doubled", "disordered"],
  },
  {
    what: "Ledger imbalance, double payout, trade both ended, of 10,000 interleavings",
    target: "0",
    suite: "simulator",
    least: { interleavings: 10_000 },
    none: [],
  },
  {
    what: "`kill -9` on the money path, 200 times",
    target: "0 imbalance",
    suite: "kills",
    least: { kills: 200 },
    none: [],
  },
  {
    what: "Generated bad requests, 20,000",
    target: "0 answers ≥ 500, 0 wrong writes",
    suite: "fuzz",
    least: { requests: 20_000 },
    none: [],
  },
  {
    what: "Rolling restart of two instances under load",
    target: "0 failed, 0 lost",
    suite: "rolling",
    least: { restarts: 24 },
    none: ["failedRequests", "lost", "doubled", "disordered"],
  },
  {
    what: "Back up → wipe → restore",
    target: "identical sums and audit head",
    suite: "restore",
    least: { trades: 60, rows: 1 },
    none: [],
  },
];

/** Writes the table of all targets between the head of the results and their first section, in the place of the last one. */
export function writeTargets(file: string, failed: readonly string[]): void {
  const all = readFileSync(file, "utf8");
  const sections = all.slice(all.search(/^## /m));
  const [head = ""] = all.slice(0, all.search(/^## /m)).split(targetsMark);
  const faults = readFileSync(join(import.meta.dir, "..", "faults", "results.md"), "utf8");
  const rows = [...wanted.map((one) => rowOf(one, failed)), ...proved.map((one) => provedRow(one, faults))];
  const text = `${targetsMark}\n\n${table(["target", "asked", "measured", "", "by", "why not"], rows)}`;
  writeFileSync(file, `${head.trim()}\n\n${text}\n\n${heldByTests()}\n\n${sections}`);
}

/** What has no figure: every check fails without it. */
function heldByTests(): string {
  const [all, apart] = [Object.keys(requirements).length, Object.keys(notApplicable).length];
  return `Held by every check (\`bun run check\`), with no figure to it: OWASP ASVS 5.0 up to level 2, ${all - apart} of ${all} requirements by a test each
(\`tests/security\`), ${apart} that do not apply (docs/security/asvs.md); axe without a violation on every screen, in both languages and both
themes (\`tests/e2e\`).`;
}

function rowOf({ what, target, bench, figures }: Wanted, failed: readonly string[]): string[] {
  const run = readFigures()[bench];
  const found = run?.figures.filter((figure) => figures.test(figure.what)) ?? [];
  if (run === undefined || found.length === 0) return [what, target, "–", "**not measured**", bench, ""];
  const met = found.every((figure) => figure.met);
  const stale = failed.includes(bench) ? ", of an earlier run" : "";
  const why = met ? "" : (reasons[what] ?? "");
  return [what, target, shown(found), met ? "met" : "**not met**", `${bench}, ${run.date}${stale}`, why];
}

const shown = (found: readonly Figure[]) =>
  found.map(({ measured, unit }) => (measured === null ? "–" : `${measured} ${unit}`.trim())).join("; ");

/** A suite's section has "No failures." where it saw no promise broken, and a line a count. */
function provedRow({ what, target, suite, least, none }: Proved, faults: string): string[] {
  const section = faults.split(/^(?=## )/m).find((one) => one.startsWith(`## ${suite}\n`));
  if (section === undefined)
    return [what, target, "–", "**not measured**", `faults ${suite}`, reasons[what] ?? ""];
  const count = (name: string) => Number(new RegExp(`^\\| ${name} \\| (\\d+) \\|$`, "m").exec(section)?.[1]);
  const met =
    /^No failures\.$/m.test(section) &&
    Object.entries(least).every(([name, figure]) => count(name) >= figure) &&
    none.every((name) => count(name) === 0);
  const counted = [...Object.keys(least), ...none].map((name) => `${count(name)} ${name}`).join("; ");
  const date = /\d{4}-\d\d-\d\d/.exec(section)?.[0] ?? "";
  return [
    what,
    target,
    counted,
    met ? "met" : "**not met**",
    `faults ${suite}, ${date}`,
    met ? "" : (reasons[what] ?? ""),
  ];
}
