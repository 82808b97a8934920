import { readFileSync } from "node:fs";
import { DockerfileParser, type Instruction, type ModifiableInstruction } from "dockerfile-ast";

/** One instruction of a Dockerfile: its name, its flags, and its arguments as they are written. */
export type Step = {
  name: string;
  flags: Record<string, string>;
  /** Words, with variables not yet put in. */
  words: string[];
  /** All after the flags in one piece, continued lines joined. */
  text: string;
  line: number;
};

/** A stage: what it begins from, what it is called (its number where it has no name), and its steps after FROM. */
export type Stage = { name: string; from: string; steps: Step[] };

/** Reads a Dockerfile into its stages. Throws where an instruction stands before the first FROM. */
export function readDockerfile(path: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(path, "utf8")).getInstructions()) {
    const step = stepOf(instruction);
    if (step.name === "FROM") {
      const [from = "", , name = String(stages.length)] = step.words;
      stages.push({ name, from, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`Dockerfile:${step.line}: ${step.name} before the first FROM`);
    stage.steps.push(step);
  }
  return stages;
}

function stepOf(instruction: Instruction): Step {
  const { flags, text } = parted(joined(instruction.getRawArgumentsContent() ?? ""));
  if ("getFlags" in instruction) {
    for (const flag of (instruction as ModifiableInstruction).getFlags()) {
      flags[flag.getName()] = flag.getValue() ?? "";
    }
  }
  const line = instruction.getRange().start.line + 1;
  return { name: instruction.getKeyword(), flags, words: text.split(/\s+/), text, line };
}

/** The flags before the arguments, which the parser takes apart for some instructions and not for others. */
function parted(text: string): { flags: Record<string, string>; text: string } {
  const flag = /^--([\w-]+)=(\S+)\s+/.exec(text);
  if (flag === null) return { flags: {}, text };
  const rest = parted(text.slice(flag[0].length));
  return { flags: { [flag[1] ?? ""]: flag[2] ?? "", ...rest.flags }, text: rest.text };
}

/** Continued lines in one, comments between them left out. */
function joined(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replace(/\\\n\s*/g, "");
}

/** What of a stage is not a layer but said of the image. */
export type ImageConfig = {
  environment: Record<string, string>;
  user: string;
  workdir: string;
  entrypoint: string[];
  command: string[];
  health: string[];
  stopSignal: string;
  volumes: string[];
};

/** What an image says that says nothing. */
export const emptyConfig: ImageConfig = {
  environment: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
  user: "0:0",
  workdir: "/",
  entrypoint: [],
  command: [],
  health: [],
  stopSignal: "SIGTERM",
  volumes: [],
};

/** The configuration after a step; undefined for a step that makes a layer. Only the exec form is known: a shell would take the signals. */
export function configAfter(config: ImageConfig, { name, text, words, line }: Step): ImageConfig | undefined {
  switch (name) {
    // A build argument is a variable of the steps after it; only a stage that the image is not made of may have one.
    case "ARG":
    case "ENV":
      return { ...config, environment: { ...config.environment, ...pairs(words, line) } };
    case "USER":
      return { ...config, user: text.trim() };
    case "STOPSIGNAL":
      return { ...config, stopSignal: text.trim() };
    case "VOLUME":
      return { ...config, volumes: [...config.volumes, ...words] };
    case "ENTRYPOINT":
      return { ...config, entrypoint: exec(text, line) };
    case "CMD":
      return { ...config, command: exec(text, line) };
    case "HEALTHCHECK":
      return { ...config, health: exec(text.replace(/^CMD\s+/, ""), line) };
    case "EXPOSE":
      return config;
    default:
      return undefined;
  }
}

function pairs(words: string[], line: number): Record<string, string> {
  const read = words.map((word) => /^(\w+)=(\S*)$/.exec(word));
  if (read.some((pair) => pair === null)) throw new Error(`Dockerfile:${line}: ENV is not NAME=value`);
  return Object.fromEntries(read.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
}

function exec(text: string, line: number): string[] {
  try {
    return JSON.parse(text) as string[];
  } catch {
    throw new Error(`Dockerfile:${line}: not in exec form`);
  }
}
