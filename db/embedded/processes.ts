import { readFileSync } from "node:fs";

/** True while a process of that id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** What the system shows of a process after its name (proc(5)): its state, its parent, …; empty where it shows nothing. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Tells a process from a later one with the same id: when it started, where the system shows that, else empty. */
export function birthOf(pid: number): string {
  return statOf(pid)[19] ?? "";
}

/** True where the system shows that the watchdog of this server of `data` lives, which ends it once its app is gone. */
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

/**
 * True unless the system shows that the process is something else than a server of `data`: in a container the same
 * small ids come back at every start.
 */
export function mayServe(pid: number, data: string): boolean {
  return isAlive(pid) && commandOf(pid)?.includes(data) !== false;
}
