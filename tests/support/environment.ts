import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What every test process takes for granted: a sandbox provider, and files that vanish with the process.
process.env.ALLOW_SANDBOX ??= "true";

const isFolderOurs = process.env.DATA_DIR === undefined;
let ownFolder: string | undefined;
renewDataFolder();
if (isFolderOurs) process.on("exit", removeDataFolder);

/** Gives the next test file an empty DATA_DIR. Does nothing if the caller's environment named one. */
export function renewDataFolder(): void {
  if (!isFolderOurs) return;
  removeDataFolder();
  ownFolder = mkdtempSync(join(tmpdir(), "midman-data-"));
  process.env.DATA_DIR = ownFolder;
}

function removeDataFolder(): void {
  if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true });
}
