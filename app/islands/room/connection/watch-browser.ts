import type { openOutbox } from "../outbox/outbox.ts";

/** How often the browser polls while the socket is closed. The poll reads Midman's database and never calls the provider. */
const pollIntervalMs = 10_000;

/**
 * Reacts to the browser's events: the poll timer, the network, the page's visibility, and the page being closed. Returns a function that
 * stops it.
 */
export function watchBrowser(room: {
  refresh: () => Promise<void>;
  catchUp: () => Promise<void>;
  outbox: ReturnType<typeof openOutbox>;
  /** Whether polling is unnecessary: the socket is open, or a suspension has ended the person's session. */
  isIdle: () => boolean;
}): () => void {
  const ended = new AbortController();
  const on = (target: EventTarget, type: string, hear: (event: Event) => void) =>
    target.addEventListener(type, hear, { signal: ended.signal });
  const timer = setInterval(() => {
    if (room.isIdle()) return;
    void room.catchUp();
    void room.refresh();
  }, pollIntervalMs);
  const flush = () => void room.outbox.flush();
  on(window, "online", flush);
  on(document, "visibilitychange", () => document.visibilityState === "visible" && flush());
  // Makes the browser ask before the page closes if unsent messages would be lost with it.
  on(window, "beforeunload", (event) => room.outbox.atRisk() && event.preventDefault());
  // The QR has expired: the panel now offers another step.
  on(document, "countdown-over", () => setTimeout(() => void room.refresh(), 1_000));
  // The payment was checked because the buyer came back: refreshing the panel is enough here.
  on(document, "payment-checked", (event) => {
    event.preventDefault();
    void room.refresh();
  });
  return () => {
    clearInterval(timer);
    ended.abort();
  };
}
