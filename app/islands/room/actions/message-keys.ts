const stopSelector = "summary";

/**
 * Makes the messages one stop of the Tab key: their buttons, and the notices that open, are reached by the arrows instead. Without a script
 * each is a stop of its own. A screen reader finds them as before.
 */
export function takeFromTabOrder(list: HTMLElement): void {
  for (const stop of list.querySelectorAll<HTMLElement>(`${stopSelector}:not([tabindex])`))
    stop.tabIndex = -1;
}

/** Up and down move from message to message; up begins at the last one in sight, and down after the last returns to the list. */
export function moveByArrows(list: HTMLElement, signal: AbortSignal): void {
  const hear = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    const { target } = event;
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement))
      return;
    const stops = [...list.querySelectorAll<HTMLElement>(stopSelector)];
    const at = stops.indexOf(target);
    // From the list itself, down scrolls.
    if (at < 0 && (target !== list || step > 0)) return;
    const next = at < 0 ? lastInSight(stops, list) : (stops[at + step] ?? (step > 0 ? list : undefined));
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  list.addEventListener("keydown", hear, { signal });
}

function lastInSight(stops: HTMLElement[], list: HTMLElement): HTMLElement | undefined {
  const { bottom } = list.getBoundingClientRect();
  for (const stop of [...stops].reverse()) {
    const { top, height } = stop.getBoundingClientRect();
    if (height > 0 && top < bottom) return stop;
  }
  return undefined;
}
