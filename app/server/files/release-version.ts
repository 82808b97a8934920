import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createGauge } from "#db/metrics";
import { version } from "../../../package.json";

const packageRoot = join(import.meta.dir, "..", "..", "..");

export type ReleaseVersion = { version: string; commit?: string };

let cachedRelease: ReleaseVersion | undefined;

/**
 * The version of package.json, and the commit if the build was given one (`MIDMAN_COMMIT`, scripts/build.ts). Read once: the running code
 * does not change when the files on disk do.
 */
export function releaseVersion(): ReleaseVersion {
  cachedRelease ??= { version, ...readCommit(join(packageRoot, "build")) };
  return cachedRelease;
}

/** Sets the gauge `midman_build_info`: always 1; its labels are version and commit. */
export function measureVersion(): void {
  const { version, commit = "" } = releaseVersion();
  const told = { name: "build_info", help: "Always 1; the labels name the running version" };
  createGauge({ ...told, labels: ["version", "commit"] }).set({ version, commit }, 1);
}

/** The commit that the build in `folder` was given; empty if there is none or the file holds no commit hash. */
export function readCommit(folder: string): { commit?: string } {
  try {
    const commit = readFileSync(join(folder, "commit"), "utf8").trim();
    return /^[0-9a-f]{7,64}$/.test(commit) ? { commit } : {};
  } catch {
    return {};
  }
}
