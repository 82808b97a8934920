import { readStored, storedKeys, writeStored } from "../../../enhance/browser/browser-storage.ts";

const draftKeyPrefix = "draft:";

/** A person's unsent text in a room, kept across reloads of this tab. Keeps nothing if the browser's storage is unavailable. */
export function draftOf(me: number, roomId: number) {
  const mine = `${draftKeyPrefix}${me}:`;
  const key = mine + roomId;
  return {
    read: () => readStored("sessionStorage", key) ?? "",
    write: (text: string) => writeStored("sessionStorage", key, text === "" ? null : text),
    /** Deletes other people's drafts at once and all drafts at sign-out, so that the next person at this device finds none. */
    dropAtSignOut() {
      dropDrafts((name) => !name.startsWith(mine));
      const ended = new AbortController();
      const hear = ({ target }: Event) => {
        if (new URL((target as HTMLFormElement).action).pathname === "/logout") dropDrafts(() => true);
      };
      document.addEventListener("submit", hear, { signal: ended.signal });
      return () => ended.abort();
    },
  };
}

function dropDrafts(which: (key: string) => boolean): void {
  for (const key of storedKeys("sessionStorage"))
    if (key.startsWith(draftKeyPrefix) && which(key)) writeStored("sessionStorage", key, null);
}
