import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { pinnedAction } from "../support/sources/github-schemas.ts";

/** What a release is made by: one version in one place, and a workflow that builds its image. github.test.ts lints all workflows. */

const root = join(import.meta.dir, "..", "..");
const text = (path: string) => readFileSync(join(root, path), "utf8");

type Step = { uses?: string; if?: string; run?: string; with?: Record<string, unknown> };
const workflow = Bun.YAML.parse(text(".github/workflows/image.yml")) as {
  on: { push: { tags: string[] }; pull_request: { paths: string[] } };
  permissions: Record<string, string>;
  jobs: { image: { steps: Step[]; "timeout-minutes": number } };
};
const { steps } = workflow.jobs.image;
const step = (action: string) => steps.find(({ uses }) => uses?.startsWith(`${action}@`));

test("the version is one of SemVer, and the change log names it", () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
  expect(text("CHANGELOG.md")).toContain(`## [${version}]`);
});

describe("the image's workflow", () => {
  test("builds for both architectures, with labels, SBOM, provenance and the commit that /version shows", () => {
    const build = step("docker/build-push-action")?.with ?? {};
    expect(build.platforms).toBe("linux/amd64,linux/arm64");
    expect([build.sbom, build.provenance]).toEqual([true, "mode=max"]);
    const [argument = ""] = /^\w+/.exec(String(build["build-args"])) ?? [];
    expect(text("Dockerfile")).toContain(`ARG ${argument}=`);
    expect(text("scripts/build.ts")).toContain(`process.env.${argument}`);
    expect(String(step("docker/metadata-action")?.with?.labels)).toContain(
      "org.opencontainers.image.licenses=MIT",
    );
  });

  test("publishes only a tag that is the version, and never `latest`", () => {
    expect(workflow.on.push.tags).toEqual(["v*"]);
    expect(steps.find(({ run }) => run?.includes("package.json"))?.if).toBe("github.ref_type == 'tag'");
    expect(step("docker/build-push-action")?.with?.push).toMatch(/^\$\{\{ github\.ref_type == 'tag' \}\}$/);
    expect(step("docker/metadata-action")?.with?.flavor).toBe("latest=false");
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  test("uses existing files and actions pinned to a commit", () => {
    for (const path of workflow.on.pull_request.paths) {
      const place = join(root, path.replace(/\/\*\*$/, ""));
      expect([
        path,
        existsSync(place) && (statSync(place).isDirectory() || statSync(place).isFile()),
      ]).toEqual([path, true]);
    }
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(pinnedAction);
  });
});
