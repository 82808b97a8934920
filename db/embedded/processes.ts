import { readFileSync } from "node:fs";

/** True while a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The fields after a process's name in /proc/<pid>/stat (proc(5)): its state, its parent, …; empty if the system shows none. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** A process's start time, which distinguishes it from a later one with the same id; empty if the system does not show it. */
export function birthOf(pid: number): string {
  return statOf(pid)[19] ?? "";
}

/** True if the watchdog of this server of `data` is visible and alive; it ends the server once its app is gone. */
export function isWatched(pid: number, data: string): boolean {
  return commandOf(Number(statOf(pid)[1]))?.includes(data) === true;
}

function commandOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return undefined;
  }
}

/** True unless the system shows that the process is not a server of `data`: in a container the same small ids return at every start. */
export function mayServe(pid: number, data: string): boolean {
  return isAlive(pid) && commandOf(pid)?.includes(data) !== false;
}
