// `npx bun run check`: installs what the tests need and runs all of them, or one part of them (`--part static|tests|browsers`), so that a
// CI service can run the parts in parallel. Its last lines are the seconds of each step and `N passed, N failed`.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  childEnvironment,
  ensureBuilt,
  ensureInstalled,
  Obstacle,
  projectRoot,
  requireBun,
} from "../prepare.ts";
import { checkAdvisories } from "./advisories.ts";
import { type CheckPart, checkParts } from "./check-parts.ts";
import { readJunit, readPlaywright, type StepResult, summaryLine } from "./test-results.ts";
import { ensureTools } from "./test-tools.ts";

/** `parts` lists the parts that need the step. Neighbouring steps of one stage run at the same time. */
type Step = { name: string; stage: number; parts: readonly CheckPart[]; run: () => Promise<StepResult> };

const reportsFolder = mkdtempSync(join(tmpdir(), "midman-check-"));
/** One more than the cores: tests wait for servers, locks and clocks; with more workers, those that count under load see too little of it. */
const parallelOption = `--parallel=${availableParallelism() + 1}`;
/** The folder where tests note the API responses they have seen. */
const seenCallsFolder = join(reportsFolder, "calls");
const playwrightReport = join(projectRoot, "test-results/results.json");

const checkSteps: Step[] = [
  { name: "install", stage: 1, parts: checkParts, run: prepareTools },
  { name: "advisories", stage: 2, parts: ["static"], run: () => checkAdvisories(childEnvironment({})) },
  {
    name: "types",
    stage: 2,
    parts: ["static"],
    run: async () => ({ well: await runPackageScript("types") }),
  },
  { name: "lint", stage: 2, parts: ["static"], run: async () => ({ well: await runPackageScript("lint") }) },
  { name: "build", stage: 2, parts: ["tests", "browsers"], run: buildPages },
  { name: "tests", stage: 3, parts: ["tests"], run: () => bunTests("test", parallelOption) },
  { name: "calls seen", stage: 4, parts: ["tests"], run: callsSeen },
  { name: "browser tests", stage: 5, parts: ["browsers"], run: browserTests },
];

async function prepareTools(): Promise<StepResult> {
  requireBun();
  await ensureInstalled();
  await ensureTools();
  return { well: true };
}

async function buildPages(): Promise<StepResult> {
  await ensureBuilt({ always: true });
  return { well: true };
}

/** Runs a script of package.json and shows its output. */
async function runPackageScript(name: string, ...more: string[]): Promise<boolean> {
  const child = Bun.spawn([process.execPath, "run", name, ...more], {
    cwd: projectRoot,
    env: childEnvironment({ NODE_ENV: "test", CALLS_SEEN: seenCallsFolder }),
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  return (await child.exited) === 0;
}

async function bunTests(name: string, ...more: string[]): Promise<StepResult> {
  const report = join(reportsFolder, `${name}.xml`);
  const well = await runPackageScript(name, ...more, "--reporter=junit", `--reporter-outfile=${report}`);
  return { well, counts: readJunit(report) };
}

/** Fails if the API's document declares a response that no test has seen. */
async function callsSeen(): Promise<StepResult> {
  return { well: await runPackageScript("calls:seen", seenCallsFolder) };
}

async function browserTests(): Promise<StepResult> {
  rmSync(playwrightReport, { force: true });
  const well = await runPackageScript("test:e2e");
  return { well, counts: readPlaywright(playwrightReport) };
}

async function attemptStep(step: Step): Promise<StepResult> {
  try {
    return await step.run();
  } catch (error) {
    console.error(error instanceof Obstacle ? error.message : error);
    return { well: false };
  }
}

/** The part that the command line names; undefined for all parts. Ends the process if there is no such part. */
function askedPart(): CheckPart | undefined {
  const { part } = parseArgs({ options: { part: { type: "string" } } }).values;
  const asked = checkParts.find((one) => one === part);
  if (part === undefined || asked !== undefined) return asked;
  console.error(`--part must be one of ${checkParts.join(", ")}, not "${part}"`);
  process.exit(2);
}

/** Runs the steps of a part, or all of them, stage by stage up to the first stage with a failure. */
async function runCheck(part: CheckPart | undefined): Promise<boolean> {
  const began = performance.now();
  const total = { passed: 0, failed: 0 };
  const summary: string[] = [];
  const asked = checkSteps.filter((one) => part === undefined || one.parts.includes(part));
  for (const stage of Map.groupBy(asked, (step) => step.stage).values()) {
    const results = await Promise.all(stage.map(runStep));
    for (const { passed, failed, line } of results) {
      total.passed += passed;
      total.failed += failed;
      summary.push(line);
    }
    if (total.failed > 0) break;
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.info(`\n${summary.join("\n")}\n${minutes} minutes\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0;
}

async function runStep(step: Step): Promise<{ passed: number; failed: number; line: string }> {
  console.info(`\n── ${step.name}`);
  const began = performance.now();
  const done = await attemptStep(step);
  const well = done.well && (done.counts?.failed ?? 0) === 0;
  return {
    passed: done.counts?.passed ?? 0,
    // A failure without a failed test (a type error, a crash of the runner) counts as one.
    failed: well ? 0 : Math.max(1, done.counts?.failed ?? 0),
    line: summaryLine(step.name, performance.now() - began, { ...done, well }),
  };
}

const hasPassed = await runCheck(askedPart());
rmSync(reportsFolder, { recursive: true, force: true });
process.exit(hasPassed ? 0 : 1);
