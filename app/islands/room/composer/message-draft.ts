const draftKeyPrefix = "draft:";

/** What somebody has begun to write in a room, kept over reloads of this tab; where the browser keeps nothing, not at all. */
export function draftOf(me: number, roomId: number) {
  const mine = `${draftKeyPrefix}${me}:`;
  const key = mine + roomId;
  return {
    read: () => tryStorage(() => sessionStorage.getItem(key)) ?? "",
    write: (text: string) =>
      tryStorage(() => (text === "" ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, text))),
    /** Leaves nothing for the next person at this device: neither by signing out, nor of whoever was here before. */
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
  tryStorage(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(draftKeyPrefix) && which(key)) sessionStorage.removeItem(key);
  });
}

function tryStorage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
