import type { openOutbox } from "../outbox/outbox.ts";

/** The browser's poll, for as long as the socket is away. It reads our database, never the provider. */
const pollIntervalMs = 10_000;

/** What the browser itself tells: time, the network, whether the page is looked at, and that it is about to go. */
export function watchBrowser(room: {
  refresh: () => Promise<void>;
  catchUp: () => Promise<void>;
  outbox: ReturnType<typeof openOutbox>;
  /** Whether polling is unnecessary: the socket is open, or the person's session has ended for good. */
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
  // The browser asks before the page goes, when what was written would go with it.
  on(window, "beforeunload", (event) => room.outbox.atRisk() && event.preventDefault());
  // The QR's time is up: what the panel offers now is another.
  on(document, "countdown-over", () => setTimeout(() => void room.refresh(), 1_000));
  // The payment was looked for since its buyer came back: here that needs no new page.
  on(document, "payment-checked", (event) => {
    event.preventDefault();
    void room.refresh();
  });
  return () => {
    clearInterval(timer);
    ended.abort();
  };
}
