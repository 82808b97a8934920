import { readStored, writeStored } from "../../../enhance/browser/browser-storage.ts";
import type { Presence } from "../types.ts";

/** A person without any activity for this long is away. */
export const idleMs = 5 * 60_000;

/** What is known about the person at this browser. */
export interface PresenceSignals {
  /** The page is visible. */
  visible: boolean;
  /** The person has chosen to be shown as busy. */
  busy: boolean;
  /** Time of the last touch, key press or return to the page, in ms since 1970. */
  activeAt: number;
}

/** The presence of a person at a time. Busy overrides every other signal. */
export function presenceAt(
  { visible, busy, activeAt }: PresenceSignals,
  at: number,
): Exclude<Presence, "offline"> {
  if (busy) return "busy";
  return visible && at - activeAt < idleMs ? "online" : "away";
}

const busyStorageKey = "midman-busy";
const busyButtonSelector = "[data-busy]";

/**
 * Watches the person's presence and reports every change of it once. "Busy" is their own choice, by the button at their seat; this browser
 * remembers it for all rooms. `tell` returns true if the report was sent; `again` reports again, as after a reconnect.
 */
export function watchPresence(tell: (status: Presence) => boolean): { again: () => void; stop: () => void } {
  const ended = new AbortController();
  let told: Presence | undefined;
  let activeAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    const visible = document.visibilityState === "visible";
    const now = presenceAt({ visible, busy: isBusy(), activeAt }, Date.now());
    if (now !== told && tell(now)) told = now;
    clearTimeout(timer);
    if (now === "online") timer = setTimeout(look, activeAt + idleMs - Date.now());
  };
  const active = () => {
    activeAt = Date.now();
    if (told === "away") look();
  };
  const on = (target: EventTarget, types: string, hear: (event: Event) => void) => {
    for (const type of types.split(" "))
      target.addEventListener(type, hear, { signal: ended.signal, passive: true, capture: true });
  };
  on(document, "pointerdown pointermove keydown wheel", active);
  on(document, "visibilitychange", () => (document.visibilityState === "visible" ? active() : look()));
  on(window, "focus pageshow", active);
  on(document, "click", ({ target }) => {
    if (!(target instanceof Element) || target.closest(busyButtonSelector) === null) return;
    saveBusy(!isBusy());
    markBusy();
    look();
  });
  // The person has chosen in another tab.
  on(window, "storage", () => {
    markBusy();
    look();
  });
  markBusy();
  return {
    again() {
      told = undefined;
      look();
    },
    stop() {
      clearTimeout(timer);
      ended.abort();
    },
  };
}

/** Shows the choice at its button. */
function markBusy(): void {
  for (const button of document.querySelectorAll(busyButtonSelector))
    button.setAttribute("aria-pressed", String(isBusy()));
}

function isBusy(): boolean {
  return readStored("localStorage", busyStorageKey) === "1";
}

function saveBusy(busy: boolean): void {
  writeStored("localStorage", busyStorageKey, busy ? "1" : null);
}
