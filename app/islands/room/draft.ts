const prefix = "draft:";

/** What somebody has begun to write in a room, kept over reloads of this tab; where the browser keeps nothing, not at all. */
export function draftOf(me: number, roomId: number) {
  const mine = `${prefix}${me}:`;
  const key = mine + roomId;
  return {
    read: () => tried(() => sessionStorage.getItem(key)) ?? "",
    write: (text: string) =>
      tried(() => (text === "" ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, text))),
    /** Leaves nothing for the next person at this device: neither by signing out, nor of whoever was here before. */
    dropAtSignOut() {
      drop((name) => !name.startsWith(mine));
      const ended = new AbortController();
      const hear = ({ target }: Event) => {
        if (new URL((target as HTMLFormElement).action).pathname === "/logout") drop(() => true);
      };
      document.addEventListener("submit", hear, { signal: ended.signal });
      return () => ended.abort();
    },
  };
}

function drop(which: (key: string) => boolean): void {
  tried(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix) && which(key)) sessionStorage.removeItem(key);
  });
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
