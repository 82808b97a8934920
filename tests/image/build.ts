import { cpSync, mkdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { boxed, outside } from "./box.ts";
import { copyContext } from "./context.ts";
import { bytesOf, run, unpackDebian } from "./debian.ts";
import {
  configAfter,
  emptyConfig,
  type ImageConfig,
  readDockerfile,
  type Stage,
  type Step,
} from "./dockerfile.ts";

/** A step that made a layer: as it is written, how long it took, and by how much the root grew. */
export type Layer = { step: string; seconds: number; bytes: number };
export type Built = {
  name: string;
  from: string;
  root: string;
  config: ImageConfig;
  layers: Layer[];
  seconds: number;
};

/**
 * Builds the Dockerfile of `project` below `work`, every step as it is written, in a fresh Debian root: only the stages the last
 * one needs, as BuildKit does. Answers them in the order they were built, the image last. `tell` hears of each step.
 */
export async function buildImage(
  project: string,
  work: string,
  tell: (line: string) => void,
): Promise<Built[]> {
  const stages = readDockerfile(join(project, "Dockerfile"));
  const context = join(work, "context");
  copyContext(project, context);
  const built = new Map<string, Built>();
  const make = async (stage: Stage): Promise<void> => {
    for (const name of neededBy(stage)) {
      const other = stages.find((one) => one.name === name);
      if (other !== undefined && !built.has(name)) await make(other);
    }
    tell(`stage ${stage.name}`);
    built.set(stage.name, await buildStage(stage, { work, context, built, tell }));
  };
  const last = stages.at(-1);
  if (last === undefined) throw new Error("The Dockerfile has no stage");
  await make(last);
  return [...built.values()];
}

function neededBy({ from, steps }: Stage): string[] {
  return [from, ...steps.flatMap(({ flags }) => flags.from ?? [])];
}

type Site = { work: string; context: string; built: Map<string, Built>; tell: (line: string) => void };

async function buildStage(stage: Stage, site: Site): Promise<Built> {
  const began = performance.now();
  const root = join(site.work, `stage-${stage.name}`);
  const { from } = stage;
  const base = site.built.get(from);
  if (base !== undefined) await run(["cp", "--archive", base.root, root]);
  else if (from === "debian:bookworm-slim") await unpackDebian(root);
  else throw new Error(`Nothing here is ${from}`);
  let config: ImageConfig = base?.config ?? emptyConfig;
  const layers: Layer[] = [{ step: `FROM ${from}`, seconds: 0, bytes: await bytesOf(root) }];
  for (const step of stage.steps) {
    const said = configAfter(config, step);
    if (said !== undefined) {
      config = said;
      continue;
    }
    const [start, before] = [performance.now(), await bytesOf(root)];
    if (step.name === "WORKDIR") {
      config = { ...config, workdir: resolve(config.workdir, step.text) };
      mkdirSync(join(root, config.workdir), { recursive: true });
      continue;
    }
    site.tell(`  ${step.name} ${step.text.slice(0, 90)}`);
    await layer(step, root, config, site);
    const seconds = (performance.now() - start) / 1000;
    layers.push({ step: `${step.name} ${written(step)}`, seconds, bytes: (await bytesOf(root)) - before });
  }
  return { name: stage.name, from, root, config, layers, seconds: (performance.now() - began) / 1000 };
}

const written = ({ flags, text }: Step) => (flags.from === undefined ? text : `--from=${flags.from} ${text}`);

async function layer(step: Step, root: string, config: ImageConfig, site: Site): Promise<void> {
  if (step.name === "RUN") return runStep(step, root, config, site.work);
  if (step.name !== "COPY") throw new Error(`Dockerfile:${step.line}: ${step.name} is not known here`);
  const source = step.flags.from === undefined ? site.context : site.built.get(step.flags.from)?.root;
  if (source === undefined) throw new Error(`Dockerfile:${step.line}: no stage ${step.flags.from}`);
  copy(step.words, source, root, config.workdir);
}

async function runStep(step: Step, root: string, config: ImageConfig, work: string): Promise<void> {
  const { volumes, environment } = outside(join(work, "outside"));
  mkdirSync(join(root, "run/outside"), { recursive: true });
  const box = { ...config, root, sealed: false, volumes };
  const given = { ...config.environment, ...environment, HOME: "/root" };
  await run(boxed({ ...box, environment: given }, ["/bin/sh", "-c", step.text]));
  rmSync(join(root, "run/outside"), { recursive: true });
}

/** As the builder does it: of a folder its contents, of files themselves into a target that is a folder. */
function copy(words: string[], source: string, root: string, workdir: string): void {
  const target = words.at(-1) ?? "";
  const inside = join(root, resolve(workdir, target));
  for (const word of words.slice(0, -1)) {
    const from = join(source, word);
    const folder = !statSync(from).isDirectory() && (target.endsWith("/") || words.length > 2);
    const to = folder ? join(inside, basename(word)) : inside;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}

/** Removes what was built, but for the image. */
export function removeStages(built: Built[]): void {
  for (const { root } of built.slice(0, -1)) rmSync(root, { recursive: true, force: true });
}
