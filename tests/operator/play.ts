import { join } from "node:path";
import { ensureBuilt } from "../support/server/ensure-built.ts";
import { freePort, startServer } from "../support/server/midman-server.ts";
import { startMailServer } from "../support/services/mail-server.ts";
import { type Day, LeftOut, type Step } from "./day.ts";
import { openDoor } from "./door.ts";
import { runOrThrow, runProgram } from "./machine.ts";
import { type StepReport, writeReport } from "./report.ts";
import { fullDisk } from "./steps/disk.ts";
import { installByKit, tradeOnOlderRelease } from "./steps/install.ts";
import { killUnderWrites, moveToPostgres } from "./steps/move.ts";
import { restoreBackup } from "./steps/restore.ts";
import { downgradeRelease, upgradeInPlace, wrongKey } from "./steps/upgrade.ts";

/** The day itself, on the machine that run.ts has made: step by step; one that fails ends it. */
const steps: Step[] = [
  installByKit,
  tradeOnOlderRelease,
  upgradeInPlace,
  wrongKey,
  moveToPostgres,
  killUnderWrites,
  fullDisk,
  restoreBackup,
  downgradeRelease,
];

const root = join(import.meta.dir, "..", "..");

async function begin(): Promise<Day> {
  await ensureBuilt(root);
  const doors = { plain: await freePort(), guarded: await freePort() };
  const port = await freePort();
  const post = await startMailServer();
  const bank = await startServer();
  process.env.DAY_PORT = String(port);
  process.env.DAY_SMTP = post.url;
  const door = await openDoor(doors, port);
  const ends = [() => door.stop(), () => bank.stop(), () => post.stop()];
  const before = process.env.DAY_BEFORE || undefined;
  return { tree: await cloned(), repository: root, before, site: door.url, door, bank, ends };
}

/** A tree without anything that is not committed. */
async function cloned(): Promise<string> {
  const tree = join(process.env.TMPDIR ?? "/tmp", "source");
  await runOrThrow(["git", "clone", "--quiet", root, tree]);
  return tree;
}

async function play(day: Day): Promise<StepReport[]> {
  const all: StepReport[] = [];
  for (const step of steps) {
    const [from, seen] = [performance.now(), [] as string[]];
    const note = (words: string) => {
      seen.push(words);
      console.info(`  ${words}`);
    };
    console.info(`── ${step.name}`);
    const done = { step: step.name, seen, seconds: 0 } as StepReport;
    try {
      await step.run(day, note);
    } catch (error) {
      done[error instanceof LeftOut ? "skipped" : "failed"] = true;
      note(error instanceof Error ? error.message : String(error));
      if (done.failed) console.error(error);
    }
    done.seconds = (performance.now() - from) / 1000;
    all.push(done);
    if (done.failed) break;
  }
  return all;
}

const day = await begin();
const seen = await play(day).finally(async () => {
  await day.service?.end("SIGTERM");
  for (const end of day.ends) await end();
});
const head = await runProgram([
  "git",
  "-c",
  `safe.directory=${root}`,
  "-C",
  root,
  "rev-parse",
  "--short",
  "HEAD",
]);
const named = day.before === undefined ? "no commit before" : `upgraded from ${day.before.slice(0, 10)}`;
writeReport(join(import.meta.dir, "report.md"), seen, [`commit ${head.out.trim()}`, named]);
const failed = seen.some((one) => one.failed === true);
console.info(failed ? "✗ a step failed" : "✓ the day is over");
process.exit(failed ? 1 : 0);
