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
    showMark(mark, presence, typing.includes(id) ? words.typing : words.presence[presence]);
  }
}

/**
 * Copies what is shown of each person's presence into fresh HTML from the server, which does not contain it: the state, the word, and the
 * choice at the busy button. The marks themselves stay as the server made them, since those of one person differ from place to place.
 */
export function keepPresence(shown: HTMLElement, fresh: HTMLElement): void {
  for (const mark of marksIn(fresh)) {
    const old = shown.querySelector<HTMLElement>(`[data-presence-of="${mark.dataset.presenceOf}"]`);
    const presence = old?.dataset.presence;
    if (presence !== undefined) showMark(mark, presence, wordIn(old)?.textContent ?? "");
  }
  const isBusy = shown.querySelector("[data-busy]")?.getAttribute("aria-pressed");
  for (const button of fresh.querySelectorAll("[data-busy]"))
    button.setAttribute("aria-pressed", isBusy ?? "false");
}

function showMark(mark: HTMLElement, presence: string, shown: string): void {
  mark.hidden = false;
  mark.dataset.presence = presence;
  const word = wordIn(mark);
  if (word && word.textContent !== shown) word.textContent = shown;
}

const marksIn = (root: ParentNode) => root.querySelectorAll<HTMLElement>("[data-presence-of]");
const wordIn = (mark: HTMLElement | null) => mark?.querySelector("[data-presence-word]");
