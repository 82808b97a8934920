import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../../bench/support/results.ts";
import { type Breach, keyOf } from "./breach.ts";
import type { Results } from "./results.ts";

export const page = join(import.meta.dir, "results.md");

/** The page that names each breach and what became of it. */
export function report(results: Results, breaches: readonly Breach[]): string {
  const fateOf = (breach: Breach) => results[keyOf(breach)]?.fate;
  const noticed = breaches.filter((breach) => fateOf(breach) === "noticed");
  const count = (list: readonly Breach[]) => new Set(list.map(({ requirement }) => requirement)).size;
  const rows = breaches.map((breach) => [
    breach.requirement,
    breach.breaks,
    `\`${breach.file}\``,
    fateOf(breach) ?? "not tried",
    plain(results[keyOf(breach)]?.by ?? ""),
  ]);
  return `# Which breaches the security tests notice

\`bun run security:break\` breaks the rule of each requirement in a copy of the tree, one breach at a time, and runs that requirement's own
test, which must fail. A breach that lives shows a test that proves less than its name. [asvs.md](../../../docs/security/asvs.md#limits-of-the-tests)
names the parts of requirements that no test can show.

${breaches.length} breaches of ${count(breaches)} requirements. ${noticed.length} of them were tried and noticed, of ${count(noticed)} requirements.

${table(["requirement", "what is broken", "where", "", "what the test said"], rows)}
`;
}

/** As one cell of a table; a link in a quoted page is not one of this page. */
function plain(text: string): string {
  return text
    .replaceAll("|", "¦")
    .replaceAll("`", "'")
    .replaceAll("<", "‹")
    .replaceAll("\n", " ")
    .replaceAll("](", "] (");
}

/** Writes the page. */
export function writeReport(results: Results, breaches: readonly Breach[]): void {
  writeFileSync(page, report(results, breaches));
}
