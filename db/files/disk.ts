import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStore } from "../files.ts";
import { dataPath } from "./data-directory.ts";

/** Files in DATA_DIR, `files/<first two letters>/<name>`, readable only by their owner. */
export function diskFiles(): FileStore {
  return {
    async put(name, bytes) {
      const path = pathOf(name);
      const fresh = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await writeDurably(fresh, bytes);
        await rename(fresh, path);
      } catch (error) {
        await rm(fresh, { force: true }); // on a full disk the partial file would take space that others need
        throw error;
      }
      await syncFolder(dirname(path));
      if (made !== undefined) await syncFolder(dirname(made));
    },
    async get(name) {
      try {
        return new Uint8Array(await readFile(pathOf(name)));
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list() {
      for (const folder of await listFolder(rootFolder())) {
        for (const name of await listFolder(join(rootFolder(), folder))) {
          const found = await stat(join(rootFolder(), folder, name)).catch(() => undefined);
          if (found?.isFile()) yield { name, at: found.mtime };
        }
      }
    },
  };
}

const rootFolder = () => dirname(dataPath("files/here"));
const pathOf = (name: string) => join(rootFolder(), name.slice(0, 2), name);

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes a folder to the disk; a new name in it is durable only after that. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}
