// `npx bun run check`: installs what tests need and runs all of them, or one part of them (`--part static|tests|browsers`), so that a forge can run the
// parts side by side. Its last lines are the seconds of each step and `N passed, N failed`.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { advisories } from "./advisories.ts";
import { ensureBuilt, ensureInstalled, environment, Obstacle, requireBun, root } from "./prepare.ts";
import { readJunit, readPlaywright, type StepResult, summaryLine } from "./results.ts";
import { ensureTools } from "./tools.ts";

const parts = ["static", "tests", "browsers"] as const;
type Part = (typeof parts)[number];

/** `parts` names the parts that need the step. */
type Step = { name: string; parts: readonly Part[]; run: () => Promise<StepResult> };

const reports = mkdtempSync(join(tmpdir(), "midman-check-"));
/** One more than cores: tests wait for a server, or for time to pass, about a tenth of theirs. */
const oneMore = `--parallel=${availableParallelism() + 1}`;
/** Where tests note which of the API's answers they have seen. */
const seen = join(reports, "calls");
const playwrightReport = join(root, "test-results/results.json");

const steps: Step[] = [
  { name: "install", parts, run: prepare },
  { name: "advisories", parts: ["static"], run: () => advisories(environment({})) },
  { name: "types", parts: ["static"], run: async () => ({ well: await script("types") }) },
  { name: "lint", parts: ["static"], run: async () => ({ well: await script("lint") }) },
  { name: "build", parts: ["tests", "browsers"], run: build },
  { name: "tests", parts: ["tests"], run: () => bunTests("test", oneMore) },
  { name: "faults", parts: ["tests"], run: () => bunTests("test:faults") },
  { name: "calls seen", parts: ["tests"], run: callsSeen },
  { name: "browser tests", parts: ["browsers"], run: browserTests },
];

async function prepare(): Promise<StepResult> {
  requireBun();
  await ensureInstalled();
  await ensureTools();
  return { well: true };
}

async function build(): Promise<StepResult> {
  await ensureBuilt({ always: true });
  return { well: true };
}

/** Runs a script of package.json with its output in sight. */
async function script(name: string, ...more: string[]): Promise<boolean> {
  const child = Bun.spawn([process.execPath, "run", name, ...more], {
    cwd: root,
    env: environment({ NODE_ENV: "test", CALLS_SEEN: seen }),
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  return (await child.exited) === 0;
}

async function bunTests(name: string, ...more: string[]): Promise<StepResult> {
  const report = join(reports, `${name}.xml`);
  const well = await script(name, ...more, "--reporter=junit", `--reporter-outfile=${report}`);
  return { well, counts: readJunit(report) };
}

/** Fails where no test has seen an answer that the API's document declares. */
async function callsSeen(): Promise<StepResult> {
  return { well: await script("calls:seen", seen) };
}

async function browserTests(): Promise<StepResult> {
  rmSync(playwrightReport, { force: true });
  const well = await script("test:e2e");
  return { well, counts: readPlaywright(playwrightReport) };
}

async function attempt(step: Step): Promise<StepResult> {
  try {
    return await step.run();
  } catch (error) {
    console.error(error instanceof Obstacle ? error.message : error);
    return { well: false };
  }
}

/** The part that the command line asks for; undefined for all of them. Ends the process where it names none that exists. */
function askedPart(): Part | undefined {
  const { part } = parseArgs({ options: { part: { type: "string" } } }).values;
  const asked = parts.find((one) => one === part);
  if (part === undefined || asked !== undefined) return asked;
  console.error(`--part must be one of ${parts.join(", ")}, not "${part}"`);
  process.exit(2);
}

/** Runs the steps of a part, or all of them, in order up to the first that fails. */
async function check(part: Part | undefined): Promise<boolean> {
  const total = { passed: 0, failed: 0 };
  const summary: string[] = [];
  let well = true;
  for (const step of steps.filter((one) => part === undefined || one.parts.includes(part))) {
    console.info(`\n── ${step.name}`);
    const began = performance.now();
    const done = await attempt(step);
    well = done.well && (done.counts?.failed ?? 0) === 0;
    total.passed += done.counts?.passed ?? 0;
    // Whatever ends badly without a failed test (a type error, a crash of the runner) counts as one failure.
    total.failed += well ? 0 : Math.max(1, done.counts?.failed ?? 0);
    summary.push(summaryLine(step.name, performance.now() - began, { ...done, well }));
    if (!well) break;
  }
  console.info(`\n${summary.join("\n")}\n${total.passed} passed, ${total.failed} failed`);
  return well;
}

const well = await check(askedPart());
rmSync(reports, { recursive: true, force: true });
process.exit(well ? 0 : 1);
