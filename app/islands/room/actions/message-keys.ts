/** The menu button of each message, and each notice that opens. */
const stopSelector = "summary";

/**
 * Takes the messages' buttons out of the order of the Tab key, which then passes all of them in one step; the arrow keys reach them
 * (`startArrowKeys`). Without a script Tab stops at each. A screen reader finds them either way.
 */
export function removeFromTabOrder(list: HTMLElement): void {
  for (const stop of list.querySelectorAll<HTMLElement>(`${stopSelector}:not([tabindex])`))
    stop.tabIndex = -1;
}

/** Moves the focus from message to message by the arrow keys. Up begins at the last visible one; down after the last returns to the list. */
export function startArrowKeys(list: HTMLElement, signal: AbortSignal): void {
  const hear = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    const { target } = event;
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement))
      return;
    const stops = [...list.querySelectorAll<HTMLElement>(stopSelector)];
    const at = stops.indexOf(target);
    // From the list itself, down scrolls.
    if (at < 0 && (target !== list || step > 0)) return;
    const next = at < 0 ? findLastVisible(stops, list) : (stops[at + step] ?? (step > 0 ? list : undefined));
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  list.addEventListener("keydown", hear, { signal });
}

function findLastVisible(stops: HTMLElement[], list: HTMLElement): HTMLElement | undefined {
  const { bottom } = list.getBoundingClientRect();
  for (const stop of [...stops].reverse()) {
    const { top, height } = stop.getBoundingClientRect();
    if (height > 0 && top < bottom) return stop;
  }
  return undefined;
}
