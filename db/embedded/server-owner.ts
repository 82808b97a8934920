import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { birthOf, isAlive } from "./processes.ts";

/** The Midman process that runs the server, and the server's address. */
export type Owner = { app: number; born: string; url: string };

/** Records that this process runs the server. */
export function claimServer(note: string, url: string): void {
  const owner: Owner = { app: process.pid, born: birthOf(process.pid), url };
  const fresh = `${note}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(owner), { mode: 0o600 }); // the address contains the password
  renameSync(fresh, note);
}

/** The process that runs the server, if it is still alive. */
export function ownerOf(note: string): Owner | undefined {
  try {
    const owner: Owner = JSON.parse(readFileSync(note, "utf8"));
    return isAlive(owner.app) && birthOf(owner.app) === owner.born ? owner : undefined;
  } catch {
    return undefined;
  }
}
