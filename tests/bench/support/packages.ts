import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The references' Node. React Router 8 wants 22.22 or newer, which a machine with Bun need not have. */
export const nodeVersion = "26.10.0";
export const nodePackage = { [`node-linux-${process.arch}`]: nodeVersion };

/**
 * Installs packages that only a reference needs into a temporary folder, gone when this process ends. `node` is the
 * binary, where `nodePackage` was asked for. Throws what the installer said.
 */
export async function temporaryPackages(
  dependencies: Record<string, string>,
): Promise<{ folder: string; node: string }> {
  const folder = mkdtempSync(join(tmpdir(), "midman-reference-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const run = Bun.spawn([process.execPath, "install", "--no-save"], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, said] = await Promise.all([run.exited, new Response(run.stderr).text()]);
  if (code !== 0) {
    throw new Error(`the packages could not be installed: ${said.trim().split("\n").at(-1)}`);
  }
  const node = join(folder, "node_modules", `node-linux-${process.arch}`, "bin", "node");
  return { folder, node };
}
