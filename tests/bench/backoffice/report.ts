import type { Plan } from "../../support/database/query-plans.ts";
import { table } from "../support/results.ts";
import type { Measured } from "./measure.ts";

/** How many times as long the large one took. */
export function growth({ small, large }: Measured): number {
  return large.ms / small.ms;
}

const sum = (plans: readonly Plan[], of: (plan: Plan) => number) =>
  plans.reduce((all, plan) => all + of(plan), 0);

/** A line a page. */
export function tableText(measured: readonly Measured[]): string {
  return table(
    ["page", "ms, small", "large", "growth", "database ms, small", "large", "rows, small", "large"],
    measured.map((page) => {
      const { small, large } = page;
      return [
        `\`${page.name}\``,
        small.ms.toFixed(1),
        large.ms.toFixed(1),
        `${growth(page).toFixed(2)} ×`,
        sum(small.plans, ({ ms }) => ms).toFixed(1),
        sum(large.plans, ({ ms }) => ms).toFixed(1),
        sum(small.plans, ({ rows }) => rows),
        sum(large.plans, ({ rows }) => rows),
      ];
    }),
  );
}

/** Each page with the nodes of its queries' plans at the large size. */
export function plansText(about: string, measured: readonly Measured[]): string {
  const pages = measured.map(({ name, large }) => {
    const lines = large.plans.map(
      ({ nodes, rows, ms, sequential }) =>
        `- ${ms.toFixed(1)} ms, ${rows} rows: ${nodes.join(", ")}${sequential.length === 0 ? "" : ` **reads the whole of ${sequential.join(", ")}**`}`,
    );
    return `## ${name}\n\n${lines.join("\n")}`;
  });
  const head = `# Plans of the desk

What \`bun run bench:backoffice\` saw last: the queries of each page at the large size, each with its time in the database, the rows its scans
touched, and the nodes of its plan from the top. Reading the session and the administrator is left out.

${about}`;
  return `${[head, ...pages].join("\n\n")}\n`;
}
