// `bun run advisories`: compares the installed packages with the known vulnerabilities; also a step of the check.
import { projectRoot } from "../prepare.ts";
import type { StepResult } from "./test-results.ts";

/** A known vulnerability that is accepted for a while. */
type AcceptedAdvisory = {
  /** The advisory's name: GHSA-… */
  advisory: string;
  /** Why it is harmless here, or why it cannot be fixed yet. */
  reason: string;
  /** The last day it is accepted, YYYY-MM-DD; within the times for fixes in docs/security/updates.md. */
  until: string;
};

/** Known vulnerabilities that do not fail the check before their last day has passed. */
export const acceptedAdvisories: AcceptedAdvisory[] = [];

/** One known vulnerability of an installed package. */
export type Advisory = { package: string; name: string; severity: string; title: string; versions: string };

/** `reached` is false if the advisories could not be fetched; then nothing is known. */
export type AdvisoryComparison = { reached: true; found: Advisory[] } | { reached: false; why: string };

const patienceMs = 30_000;

/** Fetches the advisories of every installed package, direct or not, from the registry. Never throws; takes at most 30 s. */
export async function compareAdvisories(
  environment: Record<string, string | undefined>,
): Promise<AdvisoryComparison> {
  const child = Bun.spawn([process.execPath, "audit", "--json"], {
    cwd: projectRoot,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: patienceMs,
  });
  const [said, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  return (
    parseAuditOutput(said) ?? { reached: false, why: complaint.trim().split("\n").at(-1) || "no answer" }
  );
}

/** Parses the command's JSON: advisories by package. Undefined for other output, which it prints if the registry cannot be reached. */
function parseAuditOutput(said: string): AdvisoryComparison | undefined {
  try {
    const byPackage = JSON.parse(said) as Record<string, Array<Record<string, string>>>;
    const found = Object.entries(byPackage).flatMap(([name, advisories]) =>
      advisories.map(({ url = "", severity = "", title = "", vulnerable_versions = "" }) => ({
        package: name,
        name: url.slice(url.lastIndexOf("/") + 1),
        severity,
        title,
        versions: vulnerable_versions,
      })),
    );
    return { reached: true, found };
  } catch {
    return undefined;
  }
}

/** The advisories that are not accepted on a day (YYYY-MM-DD). */
export function filterUnaccepted(found: Advisory[], list: AcceptedAdvisory[], day: string): Advisory[] {
  return found.filter(({ name }) => !list.some((entry) => entry.advisory === name && entry.until >= day));
}

/** The note in the command's result and the check's summary if no advisories could be fetched. */
export const notComparedNote = "advisories: not compared";

/**
 * Compares the packages, prints the result, and returns whether no advisory counts against this tree. If the advisories could not be
 * fetched, the step passes, and `note` says so.
 */
export async function checkAdvisories(environment: Record<string, string | undefined>): Promise<StepResult> {
  const compared = await compareAdvisories(environment);
  if (!compared.reached) {
    console.warn(`The security advisories could not be fetched (${compared.why}).`);
    return { well: true, note: notComparedNote };
  }
  const open = filterUnaccepted(compared.found, acceptedAdvisories, new Date().toISOString().slice(0, 10));
  for (const one of open) {
    console.error(`${one.package} ${one.versions}: ${one.severity}, ${one.title} (${one.name})`);
  }
  const lived = compared.found.length - open.length;
  console.info(`${open.length} known vulnerabilities, ${lived} more accepted with a reason`);
  return { well: open.length === 0 };
}

if (import.meta.main) {
  const { well, note } = await checkAdvisories(process.env);
  if (note !== undefined) console.warn(note);
  process.exit(well ? 0 : 1);
}
