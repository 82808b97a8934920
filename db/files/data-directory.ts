import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { config } from "#config";

/**
 * The absolute path of a file in DATA_DIR, whose folder is created. Only its owner may list the folder. If the owner is root, other users
 * may pass through it, because the embedded database below it runs as another user.
 */
export function dataPath(name: string): string {
  const path = resolve(config().DATA_DIR, name);
  mkdirSync(resolve(config().DATA_DIR), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/**
 * Reads a small file that only its owner may read, and creates it with `content()` if it is missing. If several processes create it at
 * once, one wins and all return its content. Nobody sees a partial file, and it survives a power cut.
 */
export function readOrCreateFile(path: string, content: () => string): string {
  const kept = readIfPresent(path);
  if (kept !== undefined) return kept;
  const fresh = `${path}.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    writeWhole(fresh, content());
    linkSync(fresh, path); // unlike rename, fails if the name exists
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  syncFolder(dirname(path));
  return readFileSync(path, "utf8");
}

/** Closes and removes the file if the disk is full, so that repeated attempts leak nothing. */
function writeWhole(path: string, content: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}
