import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Builds the pages if nothing is built yet; of several test files that ask at once, one builds and the rest wait. */
export async function ensureBuilt(root: string): Promise<void> {
  const done = () =>
    existsSync(join(root, "build", "server", "index.js")) && existsSync(join(root, "build", "scripts.json"));
  const lock = join(root, ".building");
  for (const from = Date.now(); Date.now() - from < 180_000; await Bun.sleep(100)) {
    if (existsSync(lock)) continue;
    if (done()) return;
    if (!claimLock(lock)) continue;
    try {
      return await runBuild(root);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  throw new Error(`The pages were not built within three minutes; remove ${lock} if no build is under way`);
}

function claimLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx"));
    return true;
  } catch {
    return false;
  }
}

async function runBuild(root: string): Promise<void> {
  const run = Bun.spawn([process.execPath, "scripts/build.ts"], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([
    run.exited,
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`The build failed:\n${out}\n${err}`);
}
