import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of docs/security, by its file name without `.md`. */
export type SecurityPage =
  | "asvs"
  | "authentication"
  | "authorization"
  | "browser"
  | "cryptography"
  | "data"
  | "deployment"
  | "input"
  | "logs"
  | "network"
  | "updates";

/** Path of a page of docs/security. */
export function securityPagePath(page: SecurityPage): string {
  return join(import.meta.dir, "..", "..", "..", "docs", "security", `${page}.md`);
}

/**
 * Text of one section of a page, found by its exact heading, up to the next heading of the same or a higher level. Throws unless the
 * page has exactly one such heading.
 */
export function readSecuritySection(page: SecurityPage, heading: string): string {
  const lines = readFileSync(securityPagePath(page), "utf8").split("\n");
  const found = lines.flatMap((line, i) =>
    /^#{1,4} /.test(line) && line.replace(/^#+ /, "") === heading ? [i] : [],
  );
  const [from] = found;
  if (from === undefined || found.length > 1)
    throw new Error(`docs/security/${page}.md has ${found.length} sections "${heading}"`);
  const level = /^#+/.exec(lines[from] ?? "")?.[0].length ?? 1;
  const next = lines.findIndex((line, i) => i > from && new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(from + 1, next < 0 ? undefined : next).join("\n");
}

export const deviationsHeading = "Deviations";
export const notApplicableHeading = "Requirements that do not apply";
export const unprovedHeading = "Limits of the tests";

/** The table of requirements that do not apply, as docs/security/asvs.md shows it. */
export function notApplicableTable(reasons: Readonly<Record<string, string>>): string {
  const rows = Object.entries(reasons).map(([number, reason]) => `| ${number} | ${reason} |`);
  return ["| requirement | why it does not apply |", "|---|---|", ...rows].join("\n");
}

/** The table of requirements whose test shows less than they ask, as docs/security/asvs.md shows it. */
export function unprovedTable(rest: Readonly<Record<string, string>>): string {
  const rows = Object.entries(rest).map(([number, what]) => `| ${number} | ${what} |`);
  return ["| requirement | what its test does not show |", "|---|---|", ...rows].join("\n");
}
