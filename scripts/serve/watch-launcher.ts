import { readFileSync } from "node:fs";

type Process = { pid: number; parent: number; born: string; command: string };

/**
 * Calls `gone` when a command that started this one is killed. `npx bun run up` is a chain of npx, shells and Bun; a `kill -9` of one of
 * them does not reach the rest, and the port and the data would stay in use.
 */
export function watchLauncher(gone: () => void): void {
  const chain = findLaunchers();
  if (chain.length === 0) return;
  const timer = setInterval(() => {
    if (chain.every(({ pid, born }) => readProcess(pid)?.born === born)) return;
    clearInterval(timer);
    gone();
  }, 250);
  timer.unref();
}

/** Matches npx, npm and Bun, and the shells between them: `npm exec bun run up`, `sh -c 'bun' run up`, `bun run up`. */
const RUNNER = /(^|[\s/'"])(npx|npm|bun|bunx|bun\.exe|npx-cli\.js|npm-cli\.js)(['"\s]|$)/;

/** The unbroken chain of package runners above this process; empty if the system does not show processes. */
function findLaunchers(): Process[] {
  const chain: Process[] = [];
  for (
    let one = readProcess(process.ppid);
    one !== undefined && RUNNER.test(one.command);
    one = readProcess(one.parent)
  ) {
    chain.push(one);
  }
  return chain;
}

function readProcess(pid: number): Process | undefined {
  if (pid <= 1) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { pid, parent: Number(fields[1]), born: fields[19] ?? "", command };
  } catch {
    return undefined;
  }
}
