import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the project's security is written down. */
export const securityFile = join(import.meta.dir, "..", "..", "SECURITY.md");

/** The text of one section of SECURITY.md, found by its exact heading, without that of the next heading of its level or above. */
export function section(heading: string): string {
  const lines = readFileSync(securityFile, "utf8").split("\n");
  const from = lines.findIndex((line) => /^#{1,4} /.test(line) && line.replace(/^#+ /, "") === heading);
  if (from < 0) throw new Error(`SECURITY.md has no section "${heading}"`);
  const level = /^#+/.exec(lines[from] ?? "")?.[0].length ?? 1;
  const next = lines.findIndex((line, i) => i > from && new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(from + 1, next < 0 ? undefined : next).join("\n");
}

/** The table of requirements that do not apply, as SECURITY.md shows it. */
export function notApplicableTable(reasons: Readonly<Record<string, string>>): string {
  const rows = Object.entries(reasons).map(([number, reason]) => `| ${number} | ${reason} |`);
  return ["| requirement | why it does not apply |", "|---|---|", ...rows].join("\n");
}

export const tableHeading = "Requirements that do not apply";

/** The table of requirements whose test shows less than they ask, as SECURITY.md shows it. */
export function unprovedTable(rest: Readonly<Record<string, string>>): string {
  const rows = Object.entries(rest).map(([number, what]) => `| ${number} | ${what} |`);
  return ["| requirement | what its test does not show |", "|---|---|", ...rows].join("\n");
}

export const unprovedHeading = "What the tests do not show";
