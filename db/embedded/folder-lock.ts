import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { runWithFile } from "./run-command.ts";

/** A held lock. A child process that inherits `fd` holds it too. */
export type Lock = { fd: number; release(): void };

/**
 * Locks an embedded database's folder for one server. Returns undefined if another process holds the lock. The kernel keeps it as long as
 * any process has the file open, also across containers, where process ids mean nothing. Two servers on the same files would lose writes
 * that both acknowledged.
 */
export function lockDatabaseFolder(home: string): Lock | undefined {
  const fd = openSync(join(home, "lock"), "a", 0o600);
  // macOS lacks `flock`, and there no process is hidden from another.
  if (process.platform !== "linux") return { fd, release: () => closeSync(fd) };
  const { status, output } = runWithFile(fd, ["flock", "-n", "3"]);
  if (status === 0) return { fd, release: () => closeSync(fd) };
  closeSync(fd);
  if (status === 1) return undefined;
  const why = /ENOENT/.test(output)
    ? "the program flock is missing; install util-linux, or set DATABASE_URL"
    : `flock says: ${output.trim()}`;
  throw new Error(`The embedded database's folder ${home} cannot be locked: ${why}`);
}
