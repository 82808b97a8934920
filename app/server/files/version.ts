import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gauge } from "#db/metrics";
import { version } from "../../../package.json";

const root = join(import.meta.dir, "..", "..", "..");

export type Version = { version: string; commit?: string };

let release: Version | undefined;

/**
 * The version of package.json, and the commit where the build was told one (`MIDMAN_COMMIT`, scripts/build.ts). Read once: what runs
 * does not change when the files beside it do.
 */
export function releaseVersion(): Version {
  release ??= { version, ...readCommit(join(root, "build")) };
  return release;
}

/** `midman_build_info`: always 1; its labels say what runs. */
export function measureVersion(): void {
  const { version, commit = "" } = releaseVersion();
  const told = { name: "build_info", help: "Always 1; the labels say which version runs" };
  gauge({ ...told, labels: ["version", "commit"] }).set({ version, commit }, 1);
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
