import type { Presence } from "../types.ts";

/** Updates every presence mark of the page; the marks are in parts that the server renders. */
export function markPresence(known: Record<number, Presence>, words: Record<Presence, string>): void {
  for (const mark of marksIn(document)) {
    const presence = known[Number(mark.dataset.presenceOf)] ?? "offline";
    mark.hidden = false;
    mark.dataset.presence = presence;
    const word = mark.querySelector("[data-presence-word]");
    if (word !== null && word.textContent !== words[presence]) word.textContent = words[presence];
  }
}

/** Copies the shown presence into fresh HTML from the server, which does not contain it. */
export function keepPresence(shown: HTMLElement, fresh: HTMLElement): void {
  for (const mark of marksIn(fresh)) {
    const old = shown.querySelector(`[data-presence-of="${mark.dataset.presenceOf}"]`);
    if (old !== null) mark.replaceWith(old.cloneNode(true));
  }
}

const marksIn = (root: ParentNode) => root.querySelectorAll<HTMLElement>("[data-presence-of]");
