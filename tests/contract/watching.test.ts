import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BACKUP_LATE_HOURS, DRILL_LATE_DAYS } from "#modules/audit";
import { expectStatus } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

/** The kit's alerts and dashboard name only metrics that a started server tells, and operations.md says what is watched. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..", "..");
const text = (path: string) => readFileSync(join(root, path), "utf8");

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
};
const alerts = Bun.YAML.parse(text("deploy/prometheus/alerts.yaml")) as {
  groups: Array<{ name: string; rules: Rule[] }>;
};
const rules = alerts.groups.flatMap((group) => group.rules);
type Panel = { title: string; targets?: Array<{ expr: string }> };
const dashboard = JSON.parse(text("deploy/grafana/midman.json")) as { panels: Panel[] };

const queries: Array<[where: string, query: string]> = [
  ...rules.map(({ alert, expr }) => [alert, expr] as [string, string]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [title, expr] as [string, string]),
  ),
];

/** What other programs tell: Prometheus itself, node_exporter, blackbox_exporter. */
const others = /^(up|probe_\w+|node_\w+)$/;
/** What only an instance with a replica tells. */
const withReplica = "midman_database_replica_behind_seconds";
const words = new Set(["by", "without", "on", "ignoring", "unless", "and", "or", "bool", "offset"]);

/** The metrics that a query of PromQL reads: its names that are no functions, words, labels, durations or numbers. */
function metricsIn(query: string): string[] {
  const bare = query
    .replace(/"(?:[^"\\]|\\.)*"/g, "")
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, " ")
    .replace(/\boffset\s+\w+/g, " ");
  const names = [...bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)].map(([name]) => name);
  return names.filter((name) => !words.has(name));
}

let server: Server;
let told: Set<string>;
beforeAll(async () => {
  server = await startServer();
  const { text: page } = expectStatus(await server.client().get("/metrics"), 200);
  told = new Set(
    [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? ["bucket", "sum", "count"].map((part) => `${name}_${part}`) : [name],
    ),
  );
}, 120_000);
afterAll(() => server?.stop());

test("the metric names in a query are found, and nothing else", () => {
  expect(metricsIn('sum by (le, route) (rate(a_b_bucket{x="y", z!="c d"}[5m])) / 2 > 0.5')).toEqual([
    "a_b_bucket",
  ]);
  expect(
    metricsIn('up{job="m"} == 1 unless on (instance) c_d or absent(e) < 1e9 * max(f offset 2d)'),
  ).toEqual(["up", "c_d", "e", "f"]);
});

test("every query of the alerts and the dashboard reads existing metrics", () => {
  expect(queries.length).toBeGreaterThan(70);
  for (const [where, query] of queries) {
    const names = metricsIn(query);
    expect([where, names.length > 0]).toEqual([where, true]);
    const unknown = names.filter((name) => !told.has(name) && !others.test(name) && name !== withReplica);
    expect([where, unknown]).toEqual([where, []]);
  }
});

test("the table of operations.md names existing metrics", () => {
  const named = [...text("docs/operations.md").matchAll(/`[^`\n]*?\b(midman_\w+)[^`\n]*`/g)].map(
    ([, name = ""]) => name,
  );
  const watched = named.filter((name) => /_/.test(name.slice("midman_".length)) || told.has(name));
  expect(watched.length).toBeGreaterThan(15);
  const roles = new Set(["midman_app", "midman_owner"]);
  const families = new Set([...told].map((name) => name.replace(/_(bucket|sum|count)$/, "")));
  const unknown = named.filter((name) => !told.has(name) && !families.has(name) && !roles.has(name));
  expect(unknown.filter((name) => name !== withReplica)).toEqual([]);
});

describe("the alerts", () => {
  test("each have their own name, a severity, and say what to do", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect([alert, ["page", "ticket"].includes(labels.severity)]).toEqual([alert, true]);
      expect([alert, annotations.summary.length > 10, annotations.description.length > 10]).toEqual([
        alert,
        true,
        true,
      ]);
    }
  });

  test("missing metrics cause an alert too", () => {
    const absent = rules.map(({ expr }) => expr).join("\n");
    for (const name of [
      'up{job="midman"}',
      "midman_ready",
      "midman_backup_age_seconds",
      "midman_ledger_verified_seconds",
      "midman_log_verified_seconds",
      "node_filesystem_avail_bytes",
    ])
      expect(absent).toContain(`absent(${name})`);
    expect(absent).toContain("unless on (instance) midman_log_unsealed_seconds");
  });
});

test("the dashboard's panels have their own ids and places", () => {
  const panels = dashboard.panels as unknown as Array<{
    id: number;
    gridPos: { x: number; y: number; w: number; h: number };
  }>;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const overlap = panels.flatMap((one, i) =>
    panels.slice(i + 1).filter((other) => {
      const [a, b] = [one.gridPos, other.gridPos];
      return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    }),
  );
  expect(overlap).toEqual([]);
});

/** `promtool test rules` runs the rules themselves; it comes with Debian's prometheus. */
test.skipIf(Bun.which("promtool") === null)(
  "promtool: the rules fire when they should, and not otherwise",
  async () => {
    for (const words of [
      ["check", "rules", "alerts.yaml"],
      ["test", "rules", "alerts.test.yaml"],
      ["check", "config", "--syntax-only", "prometheus.yaml"],
    ]) {
      const child = Bun.spawn(["promtool", ...words], {
        cwd: join(root, "deploy/prometheus"),
        stdout: "pipe",
        stderr: "pipe",
      });
      const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      expect([words, await child.exited, said.join("").includes("FAILED")]).toEqual([words, 0, false]);
    }
  },
);

test("the back office warns of backups when the alerts do", () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
  expect(exprOf("MidmanBackupOld")).toContain(`> ${BACKUP_LATE_HOURS} * 3600`);
  expect(exprOf("MidmanBackupUndrilled")).toContain(`> ${DRILL_LATE_DAYS} * 86400`);
});
