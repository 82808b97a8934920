// `npx bun run check`: installs what tests need and runs all of them. Its last line is `N passed, N failed`.
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advisories } from "./advisories.ts";
import { ensureBuilt, ensureInstalled, environment, Obstacle, requireBun, root } from "./prepare.ts";
import { type Counts, readJunit, readPlaywright } from "./results.ts";
import { ensureTools } from "./tools.ts";

type Outcome = { well: boolean; counts?: Counts };
/** `say` is where a step's programs print: in sight, or into a file that is shown once they have ended. */
type Step = { name: string; run: (say: Say) => Promise<Outcome> };
type Say = "inherit" | number;
type Done = Outcome & { name: string; seconds: number };

const reports = mkdtempSync(join(tmpdir(), "midman-check-"));
/** Where tests note which of the API's answers they have seen. */
const seen = join(reports, "calls");
const playwrightReport = join(root, "test-results/results.json");

/** One after the other; those of one line go side by side, for the fault suites wait more than they compute. */
const turns: Step[][] = [
  [{ name: "install", run: prepare }],
  [{ name: "advisories", run: async () => ({ well: await advisories(environment({})) }) }],
  [{ name: "types", run: async (say) => ({ well: await script(say, "types") }) }],
  [{ name: "lint", run: async (say) => ({ well: await script(say, "lint") }) }],
  [{ name: "build", run: build }],
  [
    { name: "tests", run: (say) => bunTests(say, "test") },
    { name: "faults", run: (say) => bunTests(say, "test:faults") },
  ],
  [{ name: "calls seen", run: callsSeen }],
  [{ name: "browser tests", run: browserTests }],
];

async function prepare(): Promise<Outcome> {
  requireBun();
  await ensureInstalled();
  await ensureTools();
  return { well: true };
}

async function build(): Promise<Outcome> {
  await ensureBuilt({ always: true });
  return { well: true };
}

/** Runs a script of package.json. */
async function script(say: Say, name: string, ...more: string[]): Promise<boolean> {
  const child = Bun.spawn([process.execPath, "run", name, ...more], {
    cwd: root,
    env: environment({ NODE_ENV: "test", CALLS_SEEN: seen }),
    stdin: "ignore",
    stdout: say,
    stderr: say,
  });
  return (await child.exited) === 0;
}

async function bunTests(say: Say, name: string): Promise<Outcome> {
  const report = join(reports, `${name}.xml`);
  const well = await script(say, name, "--reporter=junit", `--reporter-outfile=${report}`);
  return { well, counts: readJunit(report) };
}

/** Fails where no test has seen an answer that the API's document declares. */
async function callsSeen(say: Say): Promise<Outcome> {
  return { well: await script(say, "calls:seen", seen) };
}

async function browserTests(say: Say): Promise<Outcome> {
  rmSync(playwrightReport, { force: true });
  const well = await script(say, "test:e2e");
  return { well, counts: readPlaywright(playwrightReport) };
}

async function attempt(step: Step, say: Say): Promise<Done> {
  const began = performance.now();
  const outcome = await step.run(say).catch((error): Outcome => {
    console.error(error instanceof Obstacle ? error.message : error);
    return { well: false };
  });
  const well = outcome.well && (outcome.counts?.failed ?? 0) === 0;
  return { ...outcome, well, name: step.name, seconds: (performance.now() - began) / 1000 };
}

/** Runs steps side by side: the first in sight, what the others print after it, each as a whole. */
async function turn([first, ...others]: Step[]): Promise<Done[]> {
  if (first === undefined) return [];
  const beside = others.map((step) => {
    const file = join(reports, `${step.name}.log`);
    return { step, file, done: attempt(step, openSync(file, "a")) };
  });
  console.info(`\n── ${first.name}`);
  const done = [await attempt(first, "inherit")];
  for (const { step, file, done: ending } of beside) {
    done.push(await ending);
    console.info(`\n── ${step.name}, beside ${first.name}\n${readFileSync(file, "utf8")}`);
  }
  return done;
}

/** Runs the turns in order up to the first in which a step fails. */
async function check(): Promise<boolean> {
  const total = { passed: 0, failed: 0 };
  const summary: string[] = [];
  let well = true;
  for (const steps of turns) {
    for (const done of await turn(steps)) {
      well &&= done.well;
      total.passed += done.counts?.passed ?? 0;
      // Whatever ends badly without a failed test (a type error, a crash of the runner) counts as one failure.
      total.failed += done.well ? 0 : Math.max(1, done.counts?.failed ?? 0);
      summary.push(line(done));
    }
    if (!well) break;
  }
  console.info(`\n${summary.join("\n")}\n${total.passed} passed, ${total.failed} failed`);
  return well;
}

function line({ name, well, seconds, counts }: Done): string {
  const counted = counts === undefined ? "" : `  ${counts.passed} passed, ${counts.failed} failed`;
  return `${well ? "✓" : "✗"} ${name.padEnd(14)}${seconds.toFixed(1).padStart(6)} s${counted}`;
}

const well = await check();
rmSync(reports, { recursive: true, force: true });
process.exit(well ? 0 : 1);
