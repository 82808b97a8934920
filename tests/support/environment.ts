import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What every test process takes for granted: a sandbox provider, and files that vanish with the process.
process.env.ALLOW_SANDBOX ??= "true";
if (process.env.DATA_DIR === undefined) {
  const folder = mkdtempSync(join(tmpdir(), "midman-data-"));
  process.env.DATA_DIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
