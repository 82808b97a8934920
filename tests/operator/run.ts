/**
 * `bun run operator:day`: plays the operator's day and writes `tests/operator/report.md`. As root, some minutes; nothing of the installation is
 * left on the machine. Exits with 0 if no step failed, 1 if one did, and 2 if this machine cannot run it.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testCertificates } from "../support/services/certificates.ts";
import { findObstacle, runOnMachine, runProgram } from "./machine.ts";

const root = join(import.meta.dir, "..", "..");

/** The commit of the last version before 1.0, whose database the upgrade carries over. */
async function commitBefore(): Promise<string> {
  const git = ["git", "-c", `safe.directory=${root}`, "-C", root];
  const found = await runProgram([
    ...git,
    "log",
    "--diff-filter=A",
    "--format=%H",
    "--",
    "db/migrations/before-1.0/carry-over.sql",
  ]);
  const first = found.out.trim().split("\n").at(-1);
  if (!first) return "";
  const before = await runProgram([...git, "rev-parse", "--verify", "--quiet", `${first}^`]);
  return before.status === 0 ? before.out.trim() : "";
}

async function main(): Promise<number> {
  const why = findObstacle();
  if (why !== undefined) {
    console.error(`The operator's day was NOT played: ${why}.`);
    return 2;
  }
  const before = await commitBefore();
  if (before === "")
    console.error(
      "The git history does not reach back to the release before (a shallow clone?): upgrade and downgrade are LEFT OUT. `git fetch --unshallow` brings it.",
    );
  const folder = mkdtempSync(join(tmpdir(), "midman-operator-"));
  // The service's user passes through it.
  chmodSync(folder, 0o755);
  const trusted = join(folder, "authority.pem");
  writeFileSync(trusted, testCertificates.vouched.cert);
  try {
    return await runOnMachine(folder, [process.execPath, join(import.meta.dir, "play.ts")], {
      PATH: `/usr/sbin:/sbin:${process.env.PATH ?? "/usr/bin:/bin"}`,
      HOME: process.env.HOME ?? "/root",
      NODE_EXTRA_CA_CERTS: trusted,
      DAY_BEFORE: before,
      ALLOW_SANDBOX: "true",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(await main());
