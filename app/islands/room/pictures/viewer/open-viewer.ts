import type { MouseEvent } from "react";
import { isPlainPress } from "../../../../enhance/browser/plain-press.ts";
import type { PictureWords } from "../picture-words.ts";

/** Marks the history entry that an open viewer adds, so that Back closes the viewer. */
export const viewerMark = "midmanViewer";

/**
 * Opens the viewer instead of following a picture's link. A press that asks for a new tab or window follows the link, and so does every press
 * while the viewer cannot be loaded.
 */
export function openOnPress(event: MouseEvent<HTMLAnchorElement>, words: PictureWords): void {
  if (!isPlainPress(event)) return;
  event.preventDefault();
  const link = event.currentTarget;
  import("./picture-viewer.ts").then(
    ({ showViewer }) => showViewer(link, words),
    () => location.assign(link.href),
  );
}

/** Goes back one step if the page was loaded again while the viewer was open: its history entry would close nothing. */
export function leaveViewerEntry(): void {
  if ((history.state as Record<string, unknown> | null)?.[viewerMark] === true) history.back();
}
