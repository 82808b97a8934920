import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cores } from "../support/midman.ts";

/** A pgbench that runs here, and what it must be started with. */
export type Pgbench = { program: string; version: string; environment: Record<string, string> };

const installed = "/usr/lib/postgresql";

/**
 * pgbench from the PATH, from Debian's folders, or else fetched (`apt-get download`) and unpacked into a temporary folder, gone when
 * this process ends: installing the package would start a server. Throws what is missing.
 */
export function findPgbench(): Pgbench {
  const folders = Array.from(new Bun.Glob("*/bin/pgbench").scanSync({ cwd: installed, onlyFiles: true }));
  const newest = folders.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  const there = [Bun.which("pgbench"), ...newest.map((path) => join(installed, path))];
  for (const program of there) {
    const found = program === null ? undefined : tried(program, {});
    if (found !== undefined) return found;
  }
  return fetched();
}

function tried(program: string, environment: Record<string, string>): Pgbench | undefined {
  const said = Bun.spawnSync([program, "--version"], { env: { ...process.env, ...environment } });
  if (!said.success) return undefined;
  return { program, version: said.stdout.toString().trim(), environment };
}

function fetched(): Pgbench {
  const folder = mkdtempSync(join(tmpdir(), "midman-pgbench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const run = (...command: string[]) =>
    Bun.which(command[0] ?? "") === null ? undefined : Bun.spawnSync(command, { cwd: folder });
  const names = run("apt-cache", "search", "--names-only", "^postgresql-[0-9]+$")?.stdout.toString() ?? "";
  const name = /^postgresql-\d+/m.exec(names)?.[0];
  if (name !== undefined) run("apt-get", "download", name, "libpq5");
  for (const file of readdirSync(folder)) run("dpkg", "-x", file, folder);
  const [program] = new Bun.Glob("usr/lib/postgresql/*/bin/pgbench").scanSync({ cwd: folder });
  const [library = ""] = new Bun.Glob("usr/lib/*/libpq.so.5").scanSync({ cwd: folder });
  const environment = { LD_LIBRARY_PATH: join(folder, library, "..") };
  const found = program === undefined ? undefined : tried(join(folder, program), environment);
  if (found === undefined) {
    throw new Error(
      "pgbench is missing: it is on no PATH, not below /usr/lib/postgresql, and apt-get could not fetch postgresql-<version>",
    );
  }
  return found;
}

/** Transactions a second of a script, over so many connections with prepared statements, from the server's core. */
export async function pgbench(
  { program, environment }: Pgbench,
  run: { databaseUrl: string; script: string; connections: number; for: string[]; variables?: object },
): Promise<{ perSecond: number; done: number }> {
  const { script } = run;
  const folder = mkdtempSync(join(tmpdir(), "midman-script-"));
  const file = join(folder, "script.sql");
  writeFileSync(file, script);
  const { hostname, username, password, pathname } = new URL(run.databaseUrl);
  const variables = Object.entries(run.variables ?? {}).flatMap(([name, value]) => [
    "-D",
    `${name}=${value}`,
  ]);
  const how = ["-n", "-M", "prepared", "-c", String(run.connections), ...run.for, ...variables, "-f", file];
  const child = Bun.spawn(["taskset", "-c", String(cores.server), program, ...how], {
    env: {
      ...{ PATH: process.env.PATH, ...environment, PGHOST: decodeURIComponent(hostname) },
      ...{ PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) },
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, said, wrong] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  rmSync(folder, { recursive: true, force: true });
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(said)?.[1]);
  const done = Number(/actually processed: (\d+)/.exec(said)?.[1]);
  // A script of which one statement failed has measured something else.
  if (code !== 0 || /aborted|ERROR/.test(wrong) || !(done > 0)) {
    throw new Error(
      `${(wrong || said).split("\n")[0]}\n${script.split("\n")[Number(/command (\d+)/.exec(wrong)?.[1])]}`,
    );
  }
  return { perSecond, done };
}
