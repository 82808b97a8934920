// Prepares everything that Midman needs before it can run. Imports nothing that would have to be installed first.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { printLine } from "../config/console-line.ts";

export const projectRoot = join(import.meta.dir, "..");
/** The Bun version that Midman is tested with, and that the package requires. */
export const BUN = "1.4.5";

/** A problem that keeps Midman from running. The message alone is for the operator. */
export class Obstacle extends Error {}

/** Runs a command's work. An obstacle, or a file that the system refuses, ends the process with its message only. */
export async function exitOnObstacle(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof Obstacle) && syscall === undefined) throw error;
    printLine(message, "error");
    process.exit(1);
  }
}

/** Throws an Obstacle if Bun is too old. */
export function requireBun(): void {
  if (Bun.semver.satisfies(Bun.version, `>=${BUN}`)) return;
  throw new Obstacle(
    `Midman needs Bun ${BUN} or later and this is ${Bun.version}. Without installing it: npx --yes bun@${BUN} run up`,
  );
}

/** Installs the packages unless those of the lockfile are installed. Throws an Obstacle with the output. */
export async function ensureInstalled(): Promise<void> {
  const stamp = join(projectRoot, "node_modules/.midman");
  const wanted = hashOf(digestsOf(["package.json", "bun.lockb"]));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  await runQuietly("Installing packages", [process.execPath, "install", "--frozen-lockfile"]);
  writeFileSync(stamp, wanted);
}

/** The possible sources of pages, islands and styles. */
const buildSources = [
  ...["app", "modules", "db", "locales", "public", "config", "config.ts", "calls.ts", "scripts/build.ts"],
  ...["vite.config.ts", "react-router.config.ts", "package.json", "bun.lockb", "tsconfig.json"],
];

/** Builds the pages if their sources have changed since the last build, or if `always`. Returns whether it built. Throws an Obstacle. */
export async function ensureBuilt(options: { always?: boolean } = {}): Promise<boolean> {
  const stamp = join(projectRoot, "build/.sources");
  const found = digestsOf(buildSources);
  const fresh = existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(found, asksForBuild());
  if (fresh && options.always !== true) return false;
  rmSync(stamp, { force: true });
  await runQuietly("Building pages", [process.execPath, "scripts/build.ts"]);
  mkdirSync(dirname(stamp), { recursive: true });
  // The digests from before the build: a change made during it is not built yet.
  writeFileSync(stamp, hashOf(found, asksForBuild()));
  return true;
}

/**
 * Returns whether a change of a file requires a build. In app, modules, db and locales a program counts only if the last build has read it
 * (a newly read one is imported by one of these). In app, every file that is not a plain `.ts` file counts, because styles are collected
 * from every component.
 */
function asksForBuild(): (file: string) => boolean {
  const list = join(projectRoot, "build/inputs.json");
  const read = new Set<string>(existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []);
  const always = /^(?!(app|modules|db|locales)\/)|^app\/routes\.ts$|^app\/.*(?<!\.ts)$/;
  return (file) => always.test(file) || read.has(file);
}

async function runQuietly(what: string, command: string[]): Promise<void> {
  printLine(`${what} …`, process.env.LOG_FORMAT === "json" ? "info" : "error");
  const child = Bun.spawn(command, {
    cwd: projectRoot,
    env: childEnvironment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) === 0) return;
  throw new Obstacle(`${said.join("\n").trim()}\n${what} failed.`);
}

/**
 * The environment for child processes. `bun` and `bunx` are this very Bun there, whatever its file is called and whether or not it is on
 * the path.
 */
export function childEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const given = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const names = join(projectRoot, "node_modules/.midman-bin");
  mkdirSync(names, { recursive: true });
  for (const name of ["bun", "bunx"]) {
    const link = join(names, name);
    if (existsSync(link) && realpathSync(link) === realpathSync(process.execPath)) continue;
    rmSync(link, { force: true });
    symlinkSync(process.execPath, link);
  }
  return { ...Object.fromEntries(given), PATH: `${names}:${process.env.PATH ?? ""}`, ...more };
}

/** The digests of all files in these files and folders, without tests. */
function digestsOf(paths: string[]): Map<string, string> {
  const digest = (file: string) =>
    createHash("sha256")
      .update(readFileSync(join(projectRoot, file)))
      .digest("hex");
  return new Map(
    paths
      .flatMap(filesOf)
      .sort()
      .map((file) => [file, digest(file)]),
  );
}

/** One digest of the names and contents of the files that count. */
function hashOf(digests: Map<string, string>, counts: (file: string) => boolean = () => true): string {
  const counted = [...digests].filter(([file]) => counts(file));
  return createHash("sha256").update(JSON.stringify(counted)).digest("hex");
}

function filesOf(path: string): string[] {
  const found = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(projectRoot, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(projectRoot.length + 1));
}
