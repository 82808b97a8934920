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
 * The absolute path of something kept in DATA_DIR, whose folder is made. Only its owner may list it; as root, others may
 * pass through, since the embedded database below it runs as another user.
 */
export function dataPath(name: string): string {
  const path = resolve(config().DATA_DIR, name);
  mkdirSync(resolve(config().DATA_DIR), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/**
 * Reads a small file only the owner may read, having made it with `content()` if it was missing. Of several processes
 * that make it at once one wins and all answer the same; nobody ever sees half of it, and it survives a power cut.
 */
export function readOrCreateFile(path: string, content: () => string): string {
  const kept = readIfPresent(path);
  if (kept !== undefined) return kept;
  const fresh = `${path}.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    writeWhole(fresh, content());
    linkSync(fresh, path); // fails where the name is taken, unlike rename
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  syncFolder(dirname(path));
  return readFileSync(path, "utf8");
}

/** On a full disk nothing is left open, however often it is tried. */
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
