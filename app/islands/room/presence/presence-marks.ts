import { formatLastSeen } from "#format";
import type { Presence, RoomStrings } from "../types.ts";

const attending: ReadonlySet<string | undefined> = new Set<Presence>(["online", "busy"]);

/**
 * Updates every presence mark of the page; the marks are in parts that the server renders. Typing takes the place of the presence, and
 * `data-seen`, the time at which the person was last here, that of "offline". Of whom `known` says nothing is offline since the server's time.
 * `now` is the server's: by a phone's clock, which may be wrong, "today" would be another day than the server wrote.
 */
export function markPresence(
  known: Record<number, Presence>,
  typing: number[],
  words: Pick<RoomStrings, "presence" | "typing" | "lastSeen" | "language">,
  now: string,
): void {
  for (const mark of marksIn(document)) {
    const id = Number(mark.dataset.presenceOf);
    const presence = known[id] ?? "offline";
    const { dataset } = mark;
    if (
      dataset.seen !== undefined &&
      known[id] &&
      attending.has(dataset.presence) &&
      !attending.has(presence)
    )
      dataset.seen = now;
    const shown = typing.includes(id)
      ? words.typing
      : presence === "offline" && dataset.seen
        ? words.lastSeen.replace("[when]", formatLastSeen(dataset.seen, now, words.language))
        : words.presence[presence];
    showMark(mark, presence, shown);
  }
}

/**
 * Copies what is shown of each person's presence into fresh HTML from the server, which knows less of it: the state, the word, and the
 * choice at the busy button. The marks themselves stay as the server made them, since those of one person differ from place to place; so
 * does the word of somebody who is offline, which says when they were last here.
 */
export function keepPresence(shown: HTMLElement, fresh: HTMLElement): void {
  for (const mark of marksIn(fresh)) {
    const old = shown.querySelector<HTMLElement>(`[data-presence-of="${mark.dataset.presenceOf}"]`);
    const presence = old?.dataset.presence;
    const word = wordIn(presence === "offline" && mark.dataset.seen ? mark : old);
    if (presence !== undefined) showMark(mark, presence, word?.textContent ?? "");
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
