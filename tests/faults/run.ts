// `bun run faults`: every fault suite at its full figures, one after another, each in a process of its own.
// `bun run faults messages kills` runs only those; `--seed 7` repeats what a failure printed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine, table } from "../bench/support/results.ts";
import { writeSectionOf } from "../support/result-sections.ts";
import { ensureBuilt } from "../support/server/ensure-built.ts";
import type { Figures } from "./report.ts";

/** Each a folder here, whose `run.ts` has `run`; with what `run` is told beside the seed and the suite's own `full` figures. */
const suites: Record<string, object> = {
  simulator: {},
  kills: {},
  messages: {},
  overload: {},
  pool: {},
  hostile: {},
  rolling: {},
  provider: {},
  mail: {},
  disk: {},
  clock: {},
  fuzz: {},
  restore: {},
};

const root = join(import.meta.dir, "..", "..");
const page = {
  file: join(import.meta.dir, "results.md"),
  head: `# What the fault suites found

What \`bun run faults\` did last, suite by suite, at the full figures of the targets: what was counted, and every promise that was
seen broken. \`bun run faults <suite> --seed <seed>\` repeats one. The check runs short forms of them.
`,
};

type Suite = {
  run(options: { seed: number; progress?: (words: string) => void }): Promise<Figures>;
  full?: object;
};

/** Runs one suite here. One that throws has failed; it must not keep what came before to itself. */
async function suite(name: string, seed: number): Promise<Figures> {
  const began = performance.now();
  try {
    const { run, full } = (await import(`./${name}/run.ts`)) as Suite;
    return await run({
      ...full,
      ...suites[name],
      seed,
      progress: (words) => console.info(`${name}: ${words}`),
    });
  } catch (error) {
    const seconds = Math.round((performance.now() - began) / 1000);
    const failures = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return { suite: name, seed, counts: {}, failures, seconds };
  }
}

/** Runs one suite in a process of its own, so that none inherits anything of another. */
async function apart(name: string, seed: number, folder: string): Promise<Figures> {
  const into = join(folder, `${name}.json`);
  const command = [process.execPath, import.meta.path, name, "--seed", String(seed), "--into", into];
  const child = Bun.spawn(command, { cwd: root, stdin: "ignore", stdout: "inherit", stderr: "inherit" });
  const stop = () => child.kill("SIGTERM");
  process.once("exit", stop);
  const code = await child.exited;
  process.off("exit", stop);
  try {
    return JSON.parse(readFileSync(into, "utf8")) as Figures;
  } catch {
    return { suite: name, seed, counts: {}, failures: [`its process ended with ${code}`], seconds: 0 };
  }
}

function commit(): string {
  const asked = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"], { cwd: root });
  const changed = Bun.spawnSync(["git", "status", "--porcelain", "--untracked-files=no"], { cwd: root });
  const name = asked.success ? asked.stdout.toString().trim() : "unknown";
  return changed.stdout.toString().trim() === "" ? name : `${name}, with changes`;
}

function report({ suite: name, seed, counts, failures, seconds }: Figures, where: string): void {
  const rows = Object.entries(counts).map(([what, count]) => [what, count]);
  const found = failures.length === 0 ? "No failures." : `**${failures.length} failures:**\n`;
  const list = failures.slice(0, 20).map((failure) => `- ${failure.split("\n")[0]}`);
  const words = [`${where} Seed ${seed}, ${seconds} s.`, "", found, ...list, ""];
  writeSectionOf(page, name, `${words.join("\n")}\n${table(["what", "count"], rows)}`);
}

/** Runs them in order; answers whether none failed. */
async function all(names: readonly string[], seed: number): Promise<boolean> {
  await ensureBuilt(root);
  const folder = mkdtempSync(join(tmpdir(), "midman-faults-"));
  const where = `${machine([`commit ${commit()}`])}`;
  let well = true;
  for (const name of names) {
    console.info(`\n── ${name} (seed ${seed})`);
    const figures = await apart(name, seed, folder);
    report(figures, where);
    well &&= figures.failures.length === 0;
    console.info(`${figures.failures.length === 0 ? "✓" : "✗"} ${name}: ${figures.seconds} s`);
    for (const failure of figures.failures) console.error(`  ${failure}`);
    if (figures.failures.length > 0) console.error(`  again: bun run faults ${name} --seed ${seed}`);
  }
  rmSync(folder, { recursive: true, force: true });
  return well;
}

// Stopped by hand it ends in order, so that the servers it started end with it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: { seed: { type: "string" }, into: { type: "string" } },
});
const names = Object.keys(suites);
const unknown = positionals.filter((name) => suites[name] === undefined);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  console.error(`There are the suites ${names.join(", ")}; --seed takes a whole number.`);
  process.exit(2);
}
if (values.into !== undefined) {
  writeFileSync(values.into, JSON.stringify(await suite(positionals[0] ?? "", seed)));
  process.exit(0);
}
process.exit((await all(positionals.length > 0 ? positionals : names, seed)) ? 0 : 1);
