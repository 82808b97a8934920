import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { runWithFile } from "./run-command.ts";

/** A lock that is held; `fd` is for a child to inherit, which holds it too from then on. */
export type Lock = { fd: number; release(): void };

/**
 * Locks an embedded database's folder for one server, or answers undefined where another holds it. The kernel keeps the
 * lock with the open file: for as long as a process lives that has it, also in another container, where process ids tell
 * nothing (two servers on the same files would lose what both acknowledged).
 */
export function lockDatabaseFolder(home: string): Lock | undefined {
  const fd = openSync(join(home, "lock"), "a", 0o600);
  // macOS has no such program, and no process of it is out of another's sight.
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
