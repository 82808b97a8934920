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
 * remembers it for all rooms. `send` returns true if the report was sent. `reportAgain` is for a new connection.
 */
export function watchPresence(send: (status: Presence) => boolean): {
  reportAgain: () => void;
  stop: () => void;
} {
  const ended = new AbortController();
  let reported: Presence | undefined;
  let activeAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = () => {
    const visible = document.visibilityState === "visible";
    const now = presenceAt({ visible, busy: isBusy(), activeAt }, Date.now());
    if (now !== reported && send(now)) reported = now;
    clearTimeout(timer);
    if (now === "online") timer = setTimeout(report, activeAt + idleMs - Date.now());
  };
  const recordActivity = () => {
    activeAt = Date.now();
    if (reported === "away") report();
  };
  const on = (target: EventTarget, types: string, hear: (event: Event) => void) => {
    for (const type of types.split(" "))
      target.addEventListener(type, hear, { signal: ended.signal, passive: true, capture: true });
  };
  on(document, "pointerdown pointermove keydown wheel", recordActivity);
  on(document, "visibilitychange", () =>
    document.visibilityState === "visible" ? recordActivity() : report(),
  );
  on(window, "focus pageshow", recordActivity);
  on(document, "click", ({ target }) => {
    if (!(target instanceof Element) || target.closest(busyButtonSelector) === null) return;
    saveBusy(!isBusy());
    markBusy();
    report();
  });
  // The person has chosen in another tab.
  on(window, "storage", () => {
    markBusy();
    report();
  });
  markBusy();
  return {
    reportAgain() {
      reported = undefined;
      report();
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
