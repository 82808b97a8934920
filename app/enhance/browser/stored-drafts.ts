import { readStored, storedKeys, writeStored } from "./browser-storage.ts";

const draftKeyName = "midman-draft";
const draftKeyPrefix = `${draftKeyName}:`;

/** A draft that was last changed longer ago than this, in ms, is deleted: nobody misses it, and it must not stay on a device for ever. */
export const draftLifetimeMs = 7 * 86_400_000;

/**
 * A person's unsent text in a room, kept on this device until it is sent, emptied or too old, or its person signs out. Where the browser
 * refuses its storage the text is kept for as long as the page is open.
 */
export function storedDraft(userId: number | string, roomId: number | string) {
  const key = `${draftKeyPrefix}${userId}:${roomId}`;
  return {
    read(at: number): string {
      const { text, savedAt } = parseDraft(readStored("localStorage", key));
      return isFresh(savedAt, at) ? text : "";
    },
    write(text: string, at: number): void {
      writeStored("localStorage", key, text === "" ? null : `${at} ${text}`);
    },
  };
}

/** Deletes the drafts of everybody else, and those of this person that are too old: the next person at this device finds none. */
export function dropForeignDrafts(userId: number | string, at: number): void {
  const mine = `${draftKeyPrefix}${userId}:`;
  dropDrafts(
    (key) => !(key.startsWith(mine) && isFresh(parseDraft(readStored("localStorage", key)).savedAt, at)),
  );
}

/** Deletes all drafts when somebody signs out by this page's form, until `signal` is aborted. */
export function dropDraftsAtSignOut(signal: AbortSignal): void {
  const hear = ({ target }: Event) => {
    const isSignOut =
      target instanceof HTMLFormElement && new URL(target.action, location.href).pathname === "/logout";
    if (isSignOut) dropDrafts(() => true);
  };
  document.addEventListener("submit", hear, { signal });
}

function dropDrafts(which: (key: string) => boolean): void {
  for (const key of storedKeys("localStorage"))
    if (key.startsWith(draftKeyPrefix) && which(key)) writeStored("localStorage", key, null);
}

/** A stored draft is the time of its last change, in ms since 1970, a space, and the text. */
function parseDraft(stored: string | null): { text: string; savedAt: number } {
  const end = stored?.indexOf(" ") ?? -1;
  if (stored === null || end < 1) return { text: "", savedAt: Number.NaN };
  return { text: stored.slice(end + 1), savedAt: Number(stored.slice(0, end)) };
}

/** A device's clock may have been set back since. */
const isFresh = (savedAt: number, at: number) => Math.abs(at - savedAt) < draftLifetimeMs;
