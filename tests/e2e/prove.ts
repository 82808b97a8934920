import { join } from "node:path";
import { expect } from "@playwright/test";

const root = join(import.meta.dir, "..", "..");

/** Runs the two verifying commands of docs/development.md against a running instance: the books balance and the log's chain is whole. */
export async function proveBooks(databaseUrl: string, dataDir: string): Promise<void> {
  for (const proof of ["ledger-verify", "audit-verify"]) {
    const run = Bun.spawnSync([process.execPath, `scripts/${proof}.ts`], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ALLOW_SANDBOX: "true" },
    });
    const said = `${run.stdout}${run.stderr}`;
    expect(run.exitCode, said).toBe(0);
  }
}
