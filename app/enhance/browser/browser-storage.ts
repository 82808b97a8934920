/** `sessionStorage` ends with the tab; `localStorage` is shared by all tabs. */
export type StorageKind = "localStorage" | "sessionStorage";

// What the browser would not keep, for as long as the page is open.
const pageValues = new Map<string, string>();

/**
 * Every script reaches the browser's storage through these functions: where site data is blocked, even naming the storage throws, and an
 * error at a script's start would stop all that comes after it. A refused value applies until the page is closed.
 */
export function readStored(kind: StorageKind, key: string): string | null {
  return tryStorage(kind, (storage) => storage.getItem(key)) ?? pageValues.get(kind + key) ?? null;
}

/** Stores a value, or removes it (null). Returns false if the browser keeps it for this page alone. */
export function writeStored(kind: StorageKind, key: string, value: string | null): boolean {
  pageValues.delete(kind + key);
  const isKept = tryStorage(kind, (storage) => {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
    return true;
  });
  if (isKept) return true;
  if (value !== null) pageValues.set(kind + key, value);
  return false;
}

/** The keys that are stored at present. */
export function storedKeys(kind: StorageKind): string[] {
  const kept = tryStorage(kind, (storage) => Object.keys(storage)) ?? [];
  const ofPage = [...pageValues.keys()].filter((key) => key.startsWith(kind));
  return [...new Set([...kept, ...ofPage.map((key) => key.slice(kind.length))])];
}

function tryStorage<T>(kind: StorageKind, work: (storage: Storage) => T): T | undefined {
  try {
    return work(globalThis[kind]);
  } catch {
    return undefined;
  }
}
