import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** The user that Postgres runs as: the current one, another, or root mapped to another user in a user namespace. */
export type RunAs = {
  /** Prefix of the command; empty unless a user namespace is used. */
  prefix: string[];
  /** The user to change to; absent to stay the current user. */
  become?: { uid: number; gid: number };
};

/** Postgres refuses to run as root; thrown if no other user is available. */
class NoUserForPostgres extends Error {
  constructor() {
    super(
      "The embedded database does not run as root and no other user is available here: set DATABASE_URL.",
    );
  }
}

/** Root mapped to another user in a user namespace. Its files remain root's. */
const userNamespace: RunAs = { prefix: ["unshare", "--user", "--map-user=65534", "--map-group=65534"] };

/**
 * Chooses the user that runs Postgres. A normal user runs it directly. Root changes to `owner` (the owner of existing data) or to the first
 * of `postgres` and `nobody` that exists. If the container forbids that, or the data are root's own, a user namespace is tried. Throws
 * NoUserForPostgres.
 */
export function runAs(owner?: { uid: number; gid: number }): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] };
  if (owner?.uid === 0 && commandSucceeds(userNamespace, ["true"])) return userNamespace;
  for (const become of [owner, findSystemAccount("postgres"), findSystemAccount("nobody")]) {
    if (become !== undefined && become.uid !== 0 && commandSucceeds({ prefix: [], become }, ["true"])) {
      return { prefix: [], become: { uid: become.uid, gid: become.gid } };
    }
  }
  if (commandSucceeds(userNamespace, ["true"])) return userNamespace;
  throw new NoUserForPostgres();
}

function findSystemAccount(name: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = ["-u", "-g"].map((flag) => {
    const asked = spawnSync("id", [flag, name], { encoding: "utf8" });
    return asked.status === 0 ? Number(asked.stdout.trim()) : Number.NaN;
  });
  if (uid === undefined || gid === undefined || Number.isNaN(uid) || Number.isNaN(gid)) return undefined;
  return { uid, gid };
}

/** Runs a command to its end as that user. Returns its exit status (127 if it could not start) and its output. */
export function runCommandAs(
  as: RunAs,
  command: string[],
  input?: string,
): { status: number; output: string } {
  const [file = "", ...rest] = [...as.prefix, ...command];
  try {
    const done = spawnSync(file, rest, {
      ...as.become,
      cwd: "/",
      env: cleanEnvironment(),
      encoding: "utf8",
      input: input ?? "",
    });
    return {
      status: done.status ?? 127,
      output: `${done.stdout ?? ""}${done.stderr ?? ""}${done.error ?? ""}`,
    };
  } catch (error) {
    return { status: 127, output: String(error) };
  }
}

/** Runs a command to its end as the current user, with the open file `held` as its file 3. Returns what `runCommandAs` does. */
export function runWithFile(held: number, command: string[]): { status: number; output: string } {
  const [file = "", ...rest] = command;
  const done = spawnSync(file, rest, {
    env: cleanEnvironment(),
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe", held],
  });
  return { status: done.status ?? 127, output: `${done.stderr ?? ""}${done.error ?? ""}` };
}

/** True if the command exits with status 0 as that user. */
export function commandSucceeds(as: RunAs, command: string[]): boolean {
  return runCommandAs(as, command).status === 0;
}

/** The open files of a started command: its input, its outputs, and as file 4 a lock to hold. */
type CommandFiles = { stdin: "pipe" | "ignore"; log: number; held?: number | undefined };

/** Starts a command as that user in a session of its own, so that Ctrl-C reaches only the app. */
export function startCommandAs(
  as: RunAs,
  command: string[],
  { stdin, log, held }: CommandFiles,
): ChildProcess {
  const [file = "", ...rest] = [...as.prefix, ...command];
  return spawn(file, rest, {
    ...as.become,
    cwd: "/",
    env: cleanEnvironment(),
    detached: true,
    stdio: [stdin, log, log, "ignore", held ?? "ignore"], // 3 is the watchdog's own
  });
}

/** The server must not inherit the PG* settings, secrets or locale of the process that starts it. */
function cleanEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}
