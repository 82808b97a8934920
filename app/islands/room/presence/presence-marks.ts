import { formatLastSeen } from "#format";
import type { Presence, RoomStrings } from "../types.ts";

const attending: ReadonlySet<string | undefined> = new Set<Presence>(["online", "busy"]);

/**
 * Updates every presence mark of the page; the marks are in parts that the server renders. A mark says that the person is typing; else their
 * presence; of somebody offline, when they were last here (`data-seen`), if that is known. A person whom `known` does not contain is
 * offline. `now` is the server's time: a phone's clock may be wrong, and would then name another day "today" than the server does.
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
 * Copies each person's presence from the page into fresh HTML of the server, which does not know it as well: the state, the word, and whether
 * the busy button is pressed. The rest of a mark stays as the server made it, because a person's marks differ from place to place. The word
 * of somebody offline stays too: it says when they were last here.
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
