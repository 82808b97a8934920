// What /usr/local/bin/midman runs as the service's user: `command.ts <file of settings> <command> …`. Imports nothing that would have
// to be installed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvironmentFile } from "./environment-file.ts";

const root = join(import.meta.dir, "..", "..");
const [settings = "", name = "", ...words] = process.argv.slice(2);
/** Scripts that build, develop or serve: no commands of an installed Midman. */
const others = new Set(["up", "check", "dev", "build", "seed", "advisories", "calls:seen"]);

/** The commands of package.json that are one program below `scripts/`, by their names. */
function commands(): Map<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  return new Map(
    Object.entries(scripts).flatMap(([name, line]) => {
      const program = /^bun (scripts\/[\w-]+\.ts)$/.exec(line)?.[1];
      return program === undefined || others.has(name) ? [] : [[name, program] as const];
    }),
  );
}

/** What the service has, and nothing else: a DATABASE_URL of the caller's shell would lead the command elsewhere. */
function environment(): Record<string, string> {
  const own = ["LANG", "TERM"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const files = [join(import.meta.dir, "defaults.env"), settings];
  const given = files.map((file) => readEnvironmentFile(readFileSync(file, "utf8")));
  const place = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/var/lib/midman" };
  return Object.assign({ ...place, ...Object.fromEntries(own) }, ...given);
}

const known = commands();
const program = known.get(name);
if (program === undefined) {
  console.error(`usage: midman <command> …\ncommands: ${[...known.keys()].sort().join(", ")}`);
  process.exit(2);
}
const child = Bun.spawn([process.execPath, "--no-env-file", join(root, program), ...words], {
  cwd: root,
  env: environment(),
  stdio: ["inherit", "inherit", "inherit"],
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
process.exit(await child.exited);
