/**
 * Takes out of node_modules what a running Midman never reads, and makes the links the embedded database needs, for a place
 * where nothing may be written later: a step of the image. It is for a copy made to be run; nothing can be built by it after.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findPackage, findPrograms, NoPostgresHere } from "../db/embedded/postgres-programs.ts";

const packagesFolder = join(import.meta.dir, "..", "node_modules");

/** Packages that are types or compilers and nothing else; they come as peers of others. */
const typeOnlyPackages = ["typescript", "@typescript", "@types", "bun-types", "undici-types"];
/** Types, maps and words: no program imports them. Licences stay. */
const unneededFiles = /\.(d\.[cm]?ts|map|md|markdown|flow)$/i;
/** What Postgres brings for those who build against it. */
const builderFolders = ["include", "lib/pkgconfig", "lib/postgresql/pgxs", "share/doc", "share/man"];

function removeUnneeded(): void {
  for (const name of typeOnlyPackages) rmSync(join(packagesFolder, name), { recursive: true, force: true });
  for (const entry of readdirSync(packagesFolder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && unneededFiles.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
  rmSync(join(packagesFolder, "lucide/dist/umd"), { recursive: true, force: true });
  rmSync(join(packagesFolder, "zod/src"), { recursive: true, force: true });
}

/** Where the platform has no packaged database there is nothing to do: such an image needs DATABASE_URL. */
function prepareDatabase(): void {
  try {
    const packaged = findPackage();
    const native = join(packaged.root, "native");
    for (const name of builderFolders) rmSync(join(native, name), { recursive: true, force: true });
    for (const name of readdirSync(join(native, "lib"))) {
      if (name.endsWith(".a")) rmSync(join(native, "lib", name));
    }
    findPrograms({ prefix: [] }, packaged, "/nonexistent");
  } catch (error) {
    if (!(error instanceof NoPostgresHere)) throw error;
    console.warn(error.message);
  }
}

if (!existsSync(packagesFolder)) throw new Error("There is no node_modules to make lean");
removeUnneeded();
prepareDatabase();
