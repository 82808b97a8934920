/**
 * Removes what a running Midman never reads from node_modules, and creates the links that the embedded database needs, for an environment
 * where nothing may be written later: a step of the image. Only for a copy made to be run; it can no longer build anything.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findPackage, findPrograms, NoPostgresHere } from "../db/embedded/postgres-programs.ts";

const packagesFolder = join(import.meta.dir, "..", "node_modules");

/** Packages that contain only types or compilers; they are installed as peers of others. */
const typeOnlyPackages = ["typescript", "@typescript", "@types", "bun-types", "undici-types"];
/** Types, maps and documentation: no program imports them. Licences are kept. */
const unneededFiles = /\.(d\.[cm]?ts|map|md|markdown|flow)$/i;
/** Other forms of packages, and data of which a running Midman loads nothing: it takes css-tree's parser alone. */
const unusedFolders = ["lucide/dist/umd", "zod/src", "css-tree/cjs", "css-tree/dist", "mdn-data"];
/** Files of Postgres for builders of extensions. */
const builderFolders = ["include", "lib/pkgconfig", "lib/postgresql/pgxs", "share/doc", "share/man"];

function removeUnneeded(): void {
  for (const name of typeOnlyPackages) rmSync(join(packagesFolder, name), { recursive: true, force: true });
  for (const entry of readdirSync(packagesFolder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && unneededFiles.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
  for (const name of unusedFolders) rmSync(join(packagesFolder, name), { recursive: true, force: true });
}

/** Creates the links of the packaged database. Without one for this platform it does nothing: such an image needs DATABASE_URL. */
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

if (!existsSync(packagesFolder)) throw new Error("There is no node_modules to reduce");
removeUnneeded();
prepareDatabase();
