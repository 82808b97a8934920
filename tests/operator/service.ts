import { openSync, readFileSync } from "node:fs";
import { readEnvironmentFile } from "../../deploy/systemd/environment-file.ts";
import { type ProgramResult, runProgram } from "./machine.ts";

/** What systemd would do by `midman.service`, without systemd: the same program, user, folder, settings and umask. */

/** Folder of the installed releases. */
export const installFolder = "/opt/midman";
/** The operator's settings file. */
export const settingsFile = "/etc/midman/midman.env";
const logFile = "/var/lib/midman.log";

/** A server that runs as the unit has it. */
export type Service = {
  /** What it printed since its start. */
  output(): string;
  /** Sends a signal and waits for the exit; returns the exit status. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
};

const running = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** The two files of settings, in the unit's order; of a release without a kit the defaults of the one that is current. */
function environment(): Record<string, string> {
  const files = [`${installFolder}/current/deploy/systemd/defaults.env`, settingsFile];
  return Object.assign(
    { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/var/lib/midman" },
    ...files.map((file) => readEnvironmentFile(readFileSync(file, "utf8"))),
  );
}

/** Settings that an older release refuses because it does not know them yet; an operator removes them to go back. */
const newerSettings = ["OPERATOR_NAME", "OPERATOR_REGISTRATION", "OPERATOR_ADDRESS"];

/** The settings in the operator's file that a release does not know. */
export function unknownSettingsOf(release: string): string[] {
  const config = readOr(`${release}/config.ts`);
  return newerSettings.filter((name) => !config.includes(`${name}:`));
}

/** The settings for a release: an older one gets none that it would refuse. */
function environmentFor(release: string): Record<string, string> {
  const unknown = unknownSettingsOf(release);
  return Object.fromEntries(Object.entries(environment()).filter(([name]) => !unknown.includes(name)));
}

function launch(release: string): { child: Bun.Subprocess; output: () => string } {
  const from = readOr(logFile).length;
  const log = openSync(logFile, "a");
  const as = ["setpriv", "--reuid=midman", "--regid=midman", "--init-groups", "--no-new-privs", "--"];
  const child = Bun.spawn(
    [...as, "sh", "-c", 'umask 077; exec "$@"', "sh", `${installFolder}/bun`, "app/server.ts"],
    {
      cwd: release,
      env: environmentFor(release),
      stdin: "ignore",
      stdout: log,
      stderr: log,
    },
  );
  running.add(child);
  void child.exited.then(() => running.delete(child));
  return { child, output: () => readOr(logFile).slice(from) };
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Starts a release, by default the current one, and waits until it is ready; throws with its output if it exits. */
export async function startService(release = `${installFolder}/current`): Promise<Service> {
  const { child, output } = launch(release);
  const { PORT } = environment();
  for (const until = Date.now() + 90_000; ; await Bun.sleep(50)) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${output()}`);
    const ready = await fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) break;
    if (Date.now() > until) throw new Error(`The service was not ready within 90 s:\n${output()}`);
  }
  return {
    output,
    async end(signal) {
      child.kill(signal);
      await child.exited;
      return child.exitCode;
    },
  };
}

/** Starts a release that must refuse to start; returns exit status and output. Throws if it serves. */
export async function startRefused(
  release = `${installFolder}/current`,
): Promise<{ status: number; said: string }> {
  const { child, output } = launch(release);
  const timer = setTimeout(() => child.kill("SIGTERM"), 60_000);
  await child.exited;
  clearTimeout(timer);
  if (child.exitCode === null || child.exitCode === 0) throw new Error(`It was not refused:\n${output()}`);
  return { status: child.exitCode, said: output().trim() };
}

/** Runs a `midman` command of the installation. */
export const runMidman = (...words: string[]): Promise<ProgramResult> =>
  runProgram(["/usr/local/bin/midman", ...words]);

/** Runs a `midman` command and returns its standard output; throws unless it exits with 0. */
export async function runMidmanOrThrow(...words: string[]): Promise<string> {
  const { status, out, err } = await runMidman(...words);
  if (status !== 0) throw new Error(`midman ${words.join(" ")} ended with ${status}:\n${err}\n${out}`);
  return out;
}
