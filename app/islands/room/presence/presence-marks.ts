import type { Presence, RoomStrings } from "../types.ts";

/** Updates every presence mark of the page; the marks are in parts that the server renders. Typing takes the place of the presence. */
export function markPresence(
  known: Record<number, Presence>,
  typing: number[],
  words: Pick<RoomStrings, "presence" | "typing">,
): void {
  for (const mark of marksIn(document)) {
    const id = Number(mark.dataset.presenceOf);
    const presence = known[id] ?? "offline";
    mark.hidden = false;
    mark.dataset.presence = presence;
    const word = mark.querySelector("[data-presence-word]");
    const shown = typing.includes(id) ? words.typing : words.presence[presence];
    if (word !== null && word.textContent !== shown) word.textContent = shown;
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
