import {
  dropDraftsAtSignOut,
  dropForeignDrafts,
  storedDraft,
} from "../../../enhance/browser/stored-drafts.ts";

/** A person's unsent text in a room, kept on this device. Keeps it for the page alone if the browser's storage is unavailable. */
export function draftOf(me: number, roomId: number) {
  const draft = storedDraft(me, roomId);
  return {
    read: () => draft.read(Date.now()),
    write: (text: string) => draft.write(text, Date.now()),
    /** Deletes other people's drafts at once and all drafts at sign-out, so that the next person at this device finds none. */
    dropAtSignOut() {
      dropForeignDrafts(me, Date.now());
      const ended = new AbortController();
      dropDraftsAtSignOut(ended.signal);
      return () => ended.abort();
    },
  };
}
