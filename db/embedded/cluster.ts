import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type RunAs, runCommandAs } from "./run-command.ts";

/**
 * The role that owns an embedded cluster, and the name of its first database. The application uses another role
 * (`db/access/application-role.ts`).
 */
export const ROLE = "midman";

/**
 * Creates the cluster at `data` unless it exists: role and database `midman`, the builtin C.UTF-8 locale (it knows Cyrillic lower case),
 * SCRAM passwords everywhere. It is created in a temporary folder and renamed, so that a crash leaves no partial cluster. Returns the
 * role's password.
 */
export function ensureCluster(as: RunAs, programs: string, data: string): string {
  const kept = `${data}/midman.password`;
  if (!existsSync(kept)) initializeCluster(as, programs, data);
  return readFileSync(kept, "utf8");
}

function initializeCluster(as: RunAs, programs: string, data: string): void {
  const fresh = `${data}.${process.pid}`;
  const secret = `${fresh}.password`;
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("hex");
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(secret, password, { mode: 0o600 });
  changeOwner(as, fresh);
  changeOwner(as, secret);
  const initdb = [
    join(programs, "initdb"),
    ...["-D", fresh, "-U", ROLE, `--pwfile=${secret}`, "--auth=scram-sha-256", "--encoding=UTF8"],
    ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
  ];
  assertSucceeded(runCommandAs(as, initdb), "initdb");
  const single = [join(programs, "postgres"), "--single", "-D", fresh, "postgres"];
  assertSucceeded(runCommandAs(as, single, `CREATE DATABASE ${ROLE};\n`), "create database");
  renameSync(secret, join(fresh, "midman.password"));
  try {
    renameSync(fresh, data);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(data)) throw error; // otherwise another start was first, and its cluster is as good
  }
}

function assertSucceeded(done: { status: number; output: string }, what: string): void {
  if (done.status !== 0)
    throw new Error(`The embedded database could not be created (${what}): ${done.output.trim()}`);
}

/** Creates a folder that only this user can enter. */
export function privateFolder(as: RunAs, path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  changeOwner(as, path);
  chmodSync(path, 0o700);
}

function changeOwner(as: RunAs, path: string): void {
  if (as.become !== undefined) chownSync(path, as.become.uid, as.become.gid);
}

/** The postmaster's process id and whether it accepts connections, from its pid file; undefined if there is none. */
export function readPostmaster(data: string): { pid: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 1 ? { pid, ready: lines[7]?.trim() === "ready" } : undefined;
  } catch {
    return undefined;
  }
}

/** The address of the cluster: the folder of a unix socket as the host, which postgres.js, pg and psql all accept. */
export function socketUrl(folder: string, password: string, database: string = ROLE): string {
  return `postgres://${ROLE}:${password}@${encodeURIComponent(folder)}/${database}`;
}
