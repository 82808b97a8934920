// The program that /usr/local/bin/midman runs as the service's user: `command.ts <settings file> <command> …`. Imports nothing that would
// have to be installed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvironmentFile } from "./environment-file.ts";

const repositoryRoot = join(import.meta.dir, "..", "..");
const [settings = "", name = "", ...words] = process.argv.slice(2);
/** Scripts that build, develop or serve; they are no commands of an installed Midman. */
const developmentScripts = new Set(["up", "check", "dev", "build", "seed", "advisories", "calls:seen"]);

/** The commands of package.json that are a single program below `scripts/`, by name. */
function readCommands(): Map<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  return new Map(
    Object.entries(scripts).flatMap(([name, line]) => {
      const program = /^bun (scripts\/[\w-]+\.ts)$/.exec(line)?.[1];
      return program === undefined || developmentScripts.has(name) ? [] : [[name, program] as const];
    }),
  );
}

/** The service's environment and nothing else: a DATABASE_URL of the caller's shell would make the command act on another database. */
function readServiceEnvironment(): Record<string, string> {
  const own = ["LANG", "TERM"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const files = [join(import.meta.dir, "defaults.env"), settings];
  const given = files.map((file) => readEnvironmentFile(readFileSync(file, "utf8")));
  const place = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/var/lib/midman" };
  return Object.assign({ ...place, ...Object.fromEntries(own) }, ...given);
}

const commandPrograms = readCommands();
const commandProgram = commandPrograms.get(name);
if (commandProgram === undefined) {
  console.error(`usage: midman <command> …\ncommands: ${[...commandPrograms.keys()].sort().join(", ")}`);
  process.exit(2);
}
const childProcess = Bun.spawn(
  [process.execPath, "--no-env-file", join(repositoryRoot, commandProgram), ...words],
  {
    cwd: repositoryRoot,
    env: readServiceEnvironment(),
    stdio: ["inherit", "inherit", "inherit"],
  },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => childProcess.kill(signal));
process.exit(await childProcess.exited);
