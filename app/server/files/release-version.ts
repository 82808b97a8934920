import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createGauge } from "#db/metrics";
import { version } from "../../../package.json";

const packageRoot = join(import.meta.dir, "..", "..", "..");

export type ReleaseVersion = { version: string; commit?: string };

let cachedRelease: ReleaseVersion | undefined;

/**
 * The version of package.json, and the commit where the build was told one (`MIDMAN_COMMIT`, scripts/build.ts). Read once: what runs
 * does not change when the files beside it do.
 */
export function releaseVersion(): ReleaseVersion {
  cachedRelease ??= { version, ...readCommit(join(packageRoot, "build")) };
  return cachedRelease;
}

/** `midman_build_info`: always 1; its labels say what runs. */
export function measureVersion(): void {
  const { version, commit = "" } = releaseVersion();
  const told = { name: "build_info", help: "Always 1; the labels say which version runs" };
  createGauge({ ...told, labels: ["version", "commit"] }).set({ version, commit }, 1);
}

/** The commit that a build in `folder` was told; nothing where it was told none, or what is no commit. */
export function readCommit(folder: string): { commit?: string } {
  try {
    const commit = readFileSync(join(folder, "commit"), "utf8").trim();
    return /^[0-9a-f]{7,64}$/.test(commit) ? { commit } : {};
  } catch {
    return {};
  }
}
